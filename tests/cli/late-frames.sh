# A recording of few events in 67 million frames, most of them skipped by its send rate: what reads
# rows takes no notice, and what would make ticks of all frames names the limit and the way out.
gzip -dc "$(dirname "$(realpath data)")/../cli/late-frames.bin.gz" >late.bin
reprise info --json late.bin | grep -o '"frames":[0-9]*'
for verb in verify "cat --track events" tracks stats "at --time 20" plot recover anonymize; do
    case $verb in
    plot) reprise plot -q --what timeline late.bin >out.txt ;;
    recover | anonymize) reprise $verb -q late.bin "$verb.bin" >out.txt ;;
    *) reprise $verb -q late.bin >out.txt ;;
    esac
    echo "$verb: exit $?"
done
reprise play --headless late.bin; echo "play: exit $?"
reprise import late.bin late.icrep; echo "import: exit $?"
