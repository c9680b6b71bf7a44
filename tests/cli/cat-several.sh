# Rows of several files say which file they are from, in both forms.
a=data/z6_edge.replay b=data/z5_empty.replay
reprise cat -t files -c name,size $a $b
reprise cat -t files -c name,size --format-out csv $a $b
reprise cat -t files -c size --format-out csv $a nosuch $b; echo "exit $?"
reprise cat -t players --format-out csv data/z6_edge.replay data/l1_published_spec.replay >/dev/null
echo "exit $?"
cp $b 'odd, "name".replay'
reprise cat -t files -c size --format-out csv odd* odd*
