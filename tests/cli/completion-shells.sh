# All verbs and options are in all scripts; zsh and fish check theirs where they are installed.
for shell in bash zsh fish; do
    reprise completion $shell >script
    for word in info tracks cat at stats verify formats schema completion every-frame no-status \
        rumble pedestals decoded_bytes=; do
        grep -q -e "$word" script || echo "$shell lacks $word"
    done
    command -v $shell >/dev/null && $shell -n script
done
reprise completion zsh | head -4
reprise completion fish | grep 'from cat' | grep -e '-l columns' -e '-l stored' -e '-l output'
