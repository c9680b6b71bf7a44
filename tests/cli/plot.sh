# Plots are well-formed, the same every time, and say what they show.
reprise plot --what health,speed -o a.svg data/z6_match_like_1.2.4.replay
reprise plot --what health,speed data/z6_match_like_1.2.4.replay >b.svg
cmp a.svg b.svg && python3 -c 'import xml.dom.minidom as m; m.parse("a.svg")'
grep -o '<desc>.*</desc>' a.svg
reprise plot --what health --size 400x200 --theme dark --players 1 data/z6_edge.replay | head -1
# An empty plot is drawn and warned about; names, sizes and numbers that make no sense are refused.
reprise plot --what health -o e.svg data/z5_empty.replay; echo $?
grep -c 'no values' e.svg
reprise plot --what nosuch data/z6_edge.replay; echo $?
reprise plot data/z6_edge.replay; echo $?
reprise plot --what health --size big data/z6_edge.replay; echo $?
reprise plot --what health --players 0 data/z6_edge.replay; echo $?
