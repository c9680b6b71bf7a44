# What docs/json says holds for every family: a file of each kind, and the first damaged one.
for family in cs2kz mccamera mcreplay openra remastered ironcurtain; do
    for end in replay vcap orarep bin icrep icsave icproof xml; do
        for folder in "" bad/; do
            ls data/../$family/$folder*.$end 2>/dev/null | head -n 1
        done
    done
done >others
mkdir info tracks stats verify at cat
while read -r file; do
    name=${file//\//_}
    for verb in info tracks stats verify 'at --time 0'; do
        reprise $verb --json -q "$file" >${verb%% *}/$name 2>/dev/null
    done
    reprise cat --track all -q "$file" 2>/dev/null | head -n 100 >cat/$name
done <others
for verb in info tracks stats verify at; do
    validate $verb $verb/*
done
validate --lines cat cat/*
wc -l <others
