# An interrupt while a file is written leaves no file.
mkfifo pipe
sleep 1000 >pipe &
holder=$!
# Whoever runs this may ignore the signal, for example as a job in the background.
env --default-signal=TERM reprise cat -t frames -o rows.csv - <pipe &
reader=$!
# It sleeps in this program only while it waits for the pipe.
until grep -q '^[0-9]* (reprise) S' /proc/$reader/stat; do
    sleep 0.05
done
kill -TERM $reader
wait $reader 2>/dev/null
echo "exit $?"
kill $holder
ls
