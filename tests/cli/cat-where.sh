# Conditions: every relation, numbers, names, texts and booleans.
f=data/z6_match_like_1.2.4.replay
rows() { reprise cat --no-status "$@" $f; }
rows -t events -c frame,damage,player -w 'damage > 0' -w 'player = 1'
rows -t events -c frame,fx,damage -w 'fx = Hitmarker'
rows -t events -w 'fx = Spawn' | wc -l
rows -t events -w 'fx=11' | wc -l
rows -t events -w 'fx != Spawn' | wc -l
rows -t events -w 'fx ~ Spa' | wc -l
rows -t players -c frame,player,health -w 'health <= 12'
rows -t players -w 'health >= 20' | wc -l
rows -t players -w 'health < 20' | wc -l
rows -t players -w 'active = true' -w 'active != false' | wc -l
rows -t players -w 'active = no' | wc -l
rows -t markers -c name -w 'name ~ Ended'
rows -t markers -c name -w 'name = core.manual'
rows -t markers -c name -w 'name > core.manual'
rows -t markers -c time,name -w 'time = 0.8454569'
rows -t markers -c r -w 'r == 0.7'
rows -t frames -w 'size > 18446744073709551615' | wc -l
rows -t files -c name,size -w 'size > 10000'
rows -t files -w 'size < -1' | wc -l
rows -t markers,events -c name,damage -w 'damage = 2'
rows -t players -w 'visual_data != x' | wc -l
