# Every damaged sample gets its verdict from the exit code, and none a crash.
while IFS=$'\t' read -r file verdict reason; do
    reprise verify -q data/bad/$file >/dev/null
    code=$?
    case $verdict in
    refuse) test $code -ge 4 -a $code -le 6 ;;
    warn) test $code -eq 3 ;;
    either) test $code -ge 3 -a $code -le 6 ;;
    verify) test $code -eq 5 ;;
    esac || echo "$file: $verdict, exit $code"
done <data/bad/verdicts.tsv
reprise verify -q data/*.replay; echo "exit $?"
