# Units and buildings have the names of the game on the screen, and their ids in JSON.
f=data/../openra/p21-2p.orarep
reprise stats --all $f | grep -E 'produced|placed|PlaceBuilding .* (85|114)' | head -4
reprise stats --json $f | grep -o '"placed":{[^}]*}' | head -1
