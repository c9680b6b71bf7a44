cp data/../ironcurtain/{basic,lost-frames}.icrep .
reprise verify --simulate basic.icrep
reprise verify --simulate --json lost-frames.icrep | validate verify
reprise verify --simulate --json basic.icrep | grep -o '"simulation":{[^}]*}'
