# A trimmed copy is a part of its original, wherever its frames and times begin: what is missing is
# said, and that everything else is the same.
part() {
    local file=data/../$1 copy=copy.${1##*.}
    shift
    echo "$file $*"
    reprise trim -q --lossy "$@" $file $copy 2>&1
    reprise diff --summary $file $copy >out; echo "exit $?"
    grep -E '^(recordings|the|frame|tick|first|rows|all|unrelated)' out
    reprise diff --summary $copy $file | grep -E '^the (first|second) is a part'
    reprise diff --json $file $copy >report.json
    validate diff report.json
    rm $copy
}
part rumble/z6_match_like_1.2.4.replay --from 1 --to 3
part rumble/z6_match_like_1.2.4.replay --from 1 --to 3 --keep-times
part rumble/z4p_edge.replay --from '#1'
part rumble/l1_published_spec.replay --from '#2'
part cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay --run
part cs2kz/a1-run.replay --from 1:03:34
part cs2kz/b2-run.replay --run
part mcreplay/multipart_basic.replay --from 0.1
part mcreplay/armature_basic.replay --from 0.1
part mcreplay/armature_basic.replay --to 0.5
part mccamera/pan.xml --from 0.1
part openra/p21-2p.orarep --to '#100'
part remastered/ra-full-skirmish.bin --to 1
part remastered/td-full-campaign.bin --to 1
part ironcurtain/full.icrep --to 100
part ironcurtain/basic.icrep --from 20 --to 30
# Two halves have nothing in common but what is not about a moment.
reprise trim -q --to 1.4 data/z6_match_like_1.2.4.replay one.replay
reprise trim -q --from 1.5 data/z6_match_like_1.2.4.replay two.replay
reprise diff --summary one.replay two.replay | grep -cE '^(the|frame [0-9])' || true
