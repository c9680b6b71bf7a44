# What docs/json says holds for every family: a file of each kind, and the first damaged one.
for family in cs2kz mccamera mcreplay openra remastered ironcurtain; do
    for end in replay vcap orarep bin icrep icsave icproof xml; do
        for folder in "" bad/; do
            ls data/../$family/$folder*.$end 2>/dev/null | head -n 1
        done
    done
done >others
while read -r file; do
    for verb in info tracks stats verify 'at --time 0'; do
        reprise $verb --json -q "$file" >out.json 2>/dev/null
        validate ${verb%% *} <out.json || echo "$verb $file"
    done
    reprise cat --track all -q "$file" 2>/dev/null | head -n 100 >out.jsonl
    validate --lines cat <out.jsonl || echo "cat $file"
done <others
wc -l <others
