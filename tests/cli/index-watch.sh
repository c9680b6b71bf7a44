# Lines are what docs/json says. The program ends by itself: the folder that it follows is taken away.
mkdir watched
cp data/z6_edge.replay watched
mkfifo lines
reprise index --watch watched >lines 2>words &
exec 3<lines
read -r line <&3; echo "$line" | validate --lines watch && echo "${line%%,*}"
cp data/bad/zip_cut.replay .cut; mv .cut watched/cut.replay
read -r line <&3; echo "$line" | validate --lines watch && echo "${line%%,*}"
mv watched/z6_edge.replay watched/other.replay
read -r line <&3; echo "$line" | validate --lines watch && echo "${line%%,*}"
rm watched/other.replay
read -r line <&3; echo "$line" | validate --lines watch && echo "${line%%,*}"
mv watched elsewhere
wait $!; echo "exit $?"
cat words
