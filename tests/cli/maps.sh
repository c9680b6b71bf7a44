# --maps looks for the map of a match: by its id, else by its title in the same mod.
f=data/../openra/p21-2p.orarep
make_map() { python3 - "$@" <<'PYTHON'
import hashlib, struct, sys, zipfile
path, title, mod, comment = sys.argv[1:]
text = f"MapFormat: 11\n\nRequiresMod: {mod}\n\nTitle: {title}\n\nMapSize: 4,3\n\n# {comment}\n".encode()
cells = struct.pack("<BHHIII", 2, 4, 3, 17, 0, 53) + bytes(36 + 24)
with zipfile.ZipFile(path, "w") as archive:
    archive.writestr("map.yaml", text)
    archive.writestr("map.bin", cells)
print(hashlib.sha1(text + cells).hexdigest())
PYTHON
}
uid=$(reprise info --json $f | grep -o '"uid":"[0-9a-f]*"' | cut -d'"' -f4)
mkdir none title other same
own=$(make_map same/b.oramap 'Unlike Isle' d2k own)
make_map title/a.oramap 'oracle isle' ra copy >title.uid
make_map other/a.oramap 'Oracle Isle' d2k copy >other.uid
cp title/a.oramap none/a.zip
cp title/a.oramap same/a.oramap
cp title/a.oramap same/c.oramap
# A match on the map with that id.
LC_ALL=C sed "s/$uid/$own/g" $f >own.orarep
reprise info --json own.orarep | grep -c "\"uid\":\"$own\""
try() { rm -f x.html; reprise export --maps $1 $2 x.html 2>&1 | grep -o -e 'by its title' -e 'not found'; echo "$1 $(grep -o 'data-reprise="map"' x.html | wc -l)"; }
for folder in none title other same; do try $folder $f; done
for folder in title same; do try $folder own.orarep; done
