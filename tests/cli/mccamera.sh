c=data/../mccamera
reprise info $c/pan.xml
reprise tracks $c/turn.xml
reprise cat --track frames $c/pan.xml
reprise at --time 0.07 $c/pan.xml
reprise stats $c/pan.xml
reprise convert $c/turn.xml turn.xml && cat turn.xml && echo
reprise diff $c/turn.xml turn.xml
reprise trim --from 0.05 --to 0.1 $c/pan.xml cut.xml && cat cut.xml && echo
reprise anonymize $c/pan.xml public.xml; cat public.xml; echo
head -c 400 $c/pan.xml >torn.xml
reprise verify torn.xml; echo "exit $?"
reprise recover torn.xml whole.xml; cat whole.xml; echo
for verb in "info" "stats" "verify" "at --frame 1"; do
    reprise $verb --json $c/pan.xml | validate ${verb%% *}
done
