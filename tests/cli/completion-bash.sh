# The script is sourced and asked as bash would ask it.
source <(reprise completion bash)
complete -p reprise
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _reprise
    echo "$*: ${COMPREPLY[*]}"
}
ask reprise ''
ask reprise in
ask reprise cat --tr
ask reprise cat --format-out ''
ask reprise cat --track e
ask reprise info --limit dec
ask reprise info --layout z4
ask reprise schema ''
ask reprise completion f
ask reprise info data/z6_e
ask reprise cat --from ''
