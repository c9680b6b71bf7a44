# An interrupt while a file is written leaves no file.
mkfifo pipe
sleep 30 >pipe &
holder=$!
reprise cat -t frames -o rows.csv - <pipe &
reader=$!
sleep 1
kill -TERM $reader
wait $reader 2>/dev/null
echo "exit $?"
kill $holder
ls
