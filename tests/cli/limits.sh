# Limits have names and take K, M and G; reaching one is exit code 6 and says which.
f=data/z6_match_like_1.2.4.replay
try() { reprise "$@" >out.txt; echo "exit $?: reprise $*"; }
try verify --limit decoded_bytes=1K $f
cat out.txt
try info --limit input_bytes=100 $f
try info --limit input_bytes=1M --limit zip_entries=1 $f
try cat -t frames --limit decoded_bytes=30K $f
tail -1 out.txt
try info --limit memory_bytes=1k $f
try info --limit nosuch=1 $f
try info --limit depth $f
try info --limit depth=1X $f
try info --limit depth=99999999999999999999 $f
try info --limit decoded_bytes=1T $f
