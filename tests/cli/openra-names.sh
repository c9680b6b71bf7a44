# Units and buildings have the names of the game on the screen, and their ids in JSON.
f=data/../openra/p21-2p.orarep
reprise stats --all $f | grep -E 'produced|placed|PlaceBuilding .* (85|114)' | head -4
reprise stats --json $f | grep -o '"placed":{[^}]*}' | head -1
# Also where the list is too long for a line, and where a name and a number are both recorded.
d=$(dirname "$(readlink -f data)")
reprise stats $d/openra/p21-bots-medium.orarep | grep -cE '^ +(2tnk|apwr|powr) '
reprise stats $d/openra/p21-bots-medium.orarep | grep -A1 'Army heat' | head -2
reprise at --tick 14 $d/ironcurtain/full.icrep | grep -E '^ +(index|0 |x +y|13 +1 )'
