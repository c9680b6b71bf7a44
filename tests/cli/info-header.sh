# The header as the file has it, only when asked for.
reprise info data/l2_chunked.replay | grep -c Header
reprise info --header data/l2_chunked.replay | sed '1,/^  Header/d' | grep -v VisualData
