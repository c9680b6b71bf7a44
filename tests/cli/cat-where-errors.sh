# Conditions that make no sense.
f=data/z6_edge.replay
try() { reprise cat --no-status "$@" $f; echo "exit $?"; }
try -t frames -w 'size'
try -t frames -w '> 3'
try -t frames -w 'nosuch = 3'
try -t frames -w 'size = big'
try -t frames -w 'size ~ 3'
try -t frames -w 'time = soon'
try -t players -w 'active = maybe'
try -t players -w 'stone_fx = Charge'
# A text that no row has is no error, but the texts that rows have are listed.
try -t events -w 'kind = hits'
try -t events -w 'kind = hit and damage > 1000'
