# The validator itself: a document that is wrong in one place is found.
reprise info --json data/z6_edge.replay >good.json
validate info <good.json && echo good
change() { python3 -c 'import json, sys
document = json.load(open("good.json"))
exec(sys.argv[1])
json.dump(document, sys.stdout)' "$1" | validate info; }
change 'del document["layout"]'
change 'document["size"] = -1'
change 'document["people"][0]["host"] = "yes"'
change 'document["private"][0]["extra"] = 1'
change 'document["findings"][0]["severity"] = "bad"'
change 'document["findings"][0]["id"] = "no id"'
echo '{"a": 1, "a": 2}' | validate info
echo '[1, 2' | validate info
