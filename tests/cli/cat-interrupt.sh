# An interrupt while a file is written leaves nothing behind.
mkfifo pipe
sleep 30 >pipe &
holder=$!
reprise cat -t frames -o rows.csv - <pipe &
reader=$!
for i in $(seq 100); do
    ls rows.csv.* >/dev/null 2>&1 && break
    sleep 0.05
done
ls | grep -c 'rows.csv\.......'
kill -TERM $reader
wait $reader 2>/dev/null
echo "exit $?"
kill $holder
ls
