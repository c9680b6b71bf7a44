# One of each generation, and one with findings.
reprise info data/l1_published_spec.replay
reprise info data/z6_edge.replay
reprise info data/z5_empty.replay
