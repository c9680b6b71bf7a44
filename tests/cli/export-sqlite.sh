# A SQLite database of several replays. It appears whole or not at all, and replaces nothing unasked.
# tests/tables compares its values.
try() { reprise "$@"; echo "exit $?"; }
sql() {
    python3 - "$@" <<'PYTHON'
import sqlite3
import sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*row)
PYTHON
}
f=data/z6_edge.replay
try export $f data/../cs2kz/a1-run.replay data/bad/zip_fewer_frames.replay data/bad/zip_cut.replay all.sqlite
sql all.sqlite 'pragma integrity_check'
sql all.sqlite 'select id, file, format, layout, rows, complete from replay'
sql all.sqlite "select count(*), count(distinct replay_id) from rumble_frames"
sql all.sqlite "select r.format, count(*) from replay r join cs2kz_ticks t on r.id = t.replay_id group by 1"
sql all.sqlite "select json_extract(info, '$.format'), error is null from replay order by id"
try export $f all.sqlite
try export --force -q $f all.sqlite
sql all.sqlite 'select count(*) from replay'
try export data/bad/zip_cut.replay refused.sqlite
try export --track frames $f frames.sqlite
try export nosuch.replay $f partly.sqlite
try export $f nosuch/x.sqlite
ls
