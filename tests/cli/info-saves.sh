# A directory of saves is listed with what tells them apart; the payload is not looked at.
mkdir saves
cp data/../ironcurtain/*.icsave saves
printf 'XXXX' | dd of=saves/skirmish.icsave bs=1 seek=2000 conv=notrunc status=none
reprise info saves
reprise info saves data/z6_edge.replay | tail -n 1
