# Many files are read by several threads, and still come in the order given.
mkdir many
for i in $(seq 100 399); do
    ln -s "$PWD/data/z5_empty.replay" many/$i.replay
done
reprise info --json many | python3 -c 'import json, sys
files = [document["file"] for document in json.load(sys.stdin)]
print(len(files), files == [f"many/{i}.replay" for i in range(100, 400)])'
reprise info $(seq -f many/%g.replay 399 -1 100) | sed -n '2p;301p'
