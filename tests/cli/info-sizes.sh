# Where the bytes of a replay are, like du.
reprise info --sizes data/z6_voices_extensions.replay | sed -n '/Sizes/,$p'
reprise info --sizes data/tiny/l1_tiny.replay | sed -n '/Sizes/,$p'
