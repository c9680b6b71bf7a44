# CSV, by option or by the name of the output; quoted where needed.
reprise cat --track markers --format-out csv data/z6_edge.replay
reprise cat --track files --output files.csv data/z6_edge.replay; cat files.csv
reprise cat --track players --columns player,visual_data --to-frame 0 --format-out csv data/z6_voices_extensions.replay
reprise cat --track files --output - --format-out csv data/z6_edge.replay | tail -1
