# Saves lose names, title and picture; what other writers put into metadata goes as well.
d=data/../ironcurtain
reprise anonymize $d/everything.icsave public.icsave; echo "exit $?"
reprise verify public.icsave; echo "exit $?"
reprise diff $d/everything.icsave public.icsave; echo "exit $?"
reprise anonymize $d/bad/privacy.icrep public.icrep; echo "exit $?"
reprise verify -q public.icrep; echo "exit $?"
grep -c -a -e 198.51.100 -e 203.0.113 -e Users -e X9000 -e Alice public.icrep
reprise convert -q $d/everything.icsave same.icsave && cmp same.icsave $d/everything.icsave && echo same
# States differ by what is in no row of their own, too.
reprise diff $d/everything.icsave $d/skirmish.icsave | grep -o -e '^  state_hash: 1 rows' -e '^  rng: 1 rows'
reprise diff $d/basic.icrep $d/full.icrep | grep -c end.final_state_hash
