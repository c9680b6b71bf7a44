# What the games make of CS2KZ files: aim that has no place is counted and refused, dates are dates.
show() {
    echo "\$ reprise $*"
    reprise "$@" 2>&1
    echo "exit $?"
}
kz=data/../cs2kz
show convert --to b5 $kz/a1-run.replay new.replay
show convert --to b5 --lossy $kz/a1-run.replay new.replay
show convert --to a3 new.replay old.replay
show convert --to a1 $kz/b5-edge.replay older.replay
reprise info $kz/a1-cheater.replay | grep -E '^  (date|reason|timestamp) '
reprise info $kz/a1-jump.replay | grep -E '^  (strafes|sync|pre speed|max speed|air time) '
reprise info --json $kz/a1-cheater.replay | grep -oE '"(date|timestamp|reason)":[^,]*'
