# On a terminal JSON has lines and indentation, and is the same document.
terminal() { script -qec "$1" /dev/null | tr -d '\r'; }
terminal 'reprise info --json data/z5_empty.replay' >terminal.json
reprise info --json data/z5_empty.replay >pipe.json
wc -l <pipe.json
head -4 terminal.json
python3 -c 'import json
print(json.load(open("terminal.json")) == json.load(open("pipe.json")))'
terminal 'reprise formats --json' | head -3
