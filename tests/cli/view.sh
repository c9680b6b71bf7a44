# What cannot be watched is refused before anything is served. The page itself: viewer/tests.
reprise view; echo $?
reprise view --wait soon data/z6_edge.replay; echo $?
reprise view --scene-max much data/z6_edge.replay; echo $?
reprise view --offset 1 data/z6_edge.replay; echo $?
reprise view --offset late data/z6_edge.replay data/z6_edge.replay; echo $?
mkdir folder
reprise view folder folder; echo $?
reprise view --offset 1 folder; echo $?
reprise view --spoiler-free data/z6_edge.replay; echo $?
