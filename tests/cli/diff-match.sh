# Two recordings of one match: frames are compared, whoever is named in them.
cp data/../openra/p21-2p.orarep a.orarep
reprise anonymize a.orarep b.orarep 2>&1 | tail -1
reprise diff --summary a.orarep b.orarep | sed -n '1,/frames with other sync/p'
reprise diff --json a.orarep b.orarep | python3 -c 'import json, sys
match = json.load(sys.stdin)["match"]
print(match["same_through_frame"] == match["frames_compared"])'
reprise diff data/../openra/p21-bots-medium.orarep a.orarep | grep -c "one match" || true
