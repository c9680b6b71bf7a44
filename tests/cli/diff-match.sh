# Two recordings of one match: what everybody did, frame by frame, whoever is named in them.
run() { echo "\$ reprise $*"; reprise "$@" 2>&1; echo "exit $?"; }
cp data/../openra/p21-2p.orarep a.orarep
reprise anonymize --only names,chat a.orarep b.orarep 2>&1 | tail -1
run diff --summary a.orarep b.orarep
run diff a.orarep b.orarep
# Another actor for the first order of a client after frame 30, and no packets after frame 50.
reprise trim -q --to '#147' a.orarep c.orarep
python3 - <<'END'
import struct
data, at = bytearray(open("c.orarep", "rb").read()), 0
while True:
    client, length, frame = struct.unpack_from("<iii", data, at)
    flags = at + 14 + data[at + 13]
    if frame > 30 and length > 4 and data[at + 12] == 0xFF and data[flags] & 0x80:
        data[flags + 2] ^= 1
        break
    at += 8 + length
open("c.orarep", "wb").write(data)
END
run diff a.orarep c.orarep
reprise diff --json a.orarep c.orarep | validate diff
# How they are stored is another question, and so are other matches.
reprise convert -q --to zip a.orarep d.orarep
run diff --summary a.orarep d.orarep
reprise diff --storage --summary a.orarep c.orarep | grep '^orders'
reprise diff data/../openra/p21-bots-medium.orarep a.orarep | grep -c "one match" || true
