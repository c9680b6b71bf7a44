# Several files: a line each, damaged ones too, in the order given; the highest code counts.
reprise info data/z6_edge.replay data/bad/zip_cut.replay data/l1_published_spec.replay nosuch
