# A file that ends early, or is damaged after some frames: all complete rows, then the reason.
for file in zip_fewer_frames zip_brotli_cut rgzp_flag; do
    reprise cat -t frames -c frame,time data/bad/$file.replay
    echo "exit $?"
done
reprise cat -t frames --format-out csv -q data/bad/zip_fewer_frames.replay; echo "exit $?"
reprise cat -t frames --json -q data/bad/zip_cut.replay; echo "exit $?"
reprise cat -t frames data/bad/empty_file.replay; echo "exit $?"
