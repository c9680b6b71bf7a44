# Wishes come from settings.toml; the command line wins.
export SOURCE_DATE_EPOCH=1771156800 XDG_CONFIG_HOME=$PWD/config
size() { stat -c %s "$1"; }
record() { reprise record --demo skirmish --ticks 400 -q "$@"; }
record plain.icrep
printf '[compression]\nreplay_level = "compact" # smaller\n[recording]\nkeyframe_ticks = 50\nfull_keyframe_ticks = 200\n' >mine.toml
record --settings mine.toml small.icrep
record --settings mine.toml --level fastest large.icrep
reprise cat --track keyframes -q small.icrep | wc -l
[ "$(size small.icrep)" -lt "$(size large.icrep)" ] && echo smaller
mkdir -p config/reprise
printf '[compression]\nreplay_level = "compact"\nsave_level = "fastest"\n[other]\nx = 1\n' >config/reprise/settings.toml
record compact.icrep
[ "$(size compact.icrep)" -lt "$(size plain.icrep)" ] && echo smaller
reprise recompress -q plain.icrep again.icrep
[ "$(size again.icrep)" -lt "$(size plain.icrep)" ] && echo smaller
reprise recompress -q --level fastest plain.icrep fast.icrep
[ "$(size fast.icrep)" -eq "$(size plain.icrep)" ] && echo same
printf '[compression]\nreplay_level = "tiny"\n' >bad.toml
record --settings bad.toml x.icrep; echo "exit $?"
printf 'nonsense\n' >bad.toml
record --settings bad.toml x.icrep; echo "exit $?"
record --settings nosuch.toml x.icrep; echo "exit $?"
# What is not ours is ignored, but not without a word; the exit code stays.
printf '[compresion]\nreplay_level = "compact"\n[compression]\nlevel = "compact"\n# more\n[recording]\nflush_ms = 100\n' >odd.toml
printf 'early = 1\n' | cat - odd.toml >odder.toml
reprise recompress --settings odd.toml plain.icrep odd.icrep; echo "exit $?"
reprise recompress --settings odder.toml -f plain.icrep odd.icrep; echo "exit $?"
reprise record --demo skirmish --ticks 40 --settings odd.toml --json odd-record.icrep | validate record; echo "exit $?"
reprise recompress --settings odder.toml -q -f plain.icrep odd.icrep; echo "exit $?"
