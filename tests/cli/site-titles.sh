# A page of a site is called by who played, where, and on which course.
d=$(dirname "$(readlink -f data)")
mkdir dir
cp data/z6_match_like_1.2.4.replay $d/cs2kz/a1-run.replay $d/openra/p21-2p.orarep dir
reprise export -q --site --pages all dir site
grep -rho '<title>[^<]*</title>' site/r | LC_ALL=C sort
