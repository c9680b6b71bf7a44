# Tables with rows and time span; their columns on demand.
reprise tracks data/z6_match_like_1.2.4.replay
reprise tracks --track markers,files data/z6_edge.replay
reprise tracks --long data/z6_edge.replay | grep -c '^  [A-Z]'
