# What a replay brings along becomes files, but nothing embedded without consent.
ic=data/../ironcurtain
reprise extract "$ic/self-contained.icrep" out; echo "exit $?"
test -e out && echo 'a directory was made'
reprise extract --allow-embedded "$ic/self-contained.icrep" out; echo "exit $?"
stat -c '%A %n' out out/rules out/initial-state.icsave
reprise verify out/initial-state.icsave
reprise extract --allow-embedded "$ic/self-contained.icrep" out; echo "exit $?"
ln -s /etc link
reprise extract --allow-embedded "$ic/self-contained.icrep" link; echo "exit $?"
# Voices and pictures are not embedded content; a kind that is not there is nothing.
reprise extract "$ic/full.icrep" talk; echo "exit $?"
head -c 4 talk/voice/player-0.opus; echo
reprise extract "$ic/everything.icsave" picture; echo "exit $?"
reprise extract --only map "$ic/full.icrep" nothing; echo "exit $?"
reprise extract --json "$ic/live-torn.icrep" live | validate extract
# Paths that lead out spoil everything.
reprise extract --allow-embedded "$ic/bad/embed-escape.icrep" evil; echo "exit $?"
reprise extract --allow-embedded --json -q "$ic/bad/embed-lua.icrep" evil | validate extract
test -e evil && echo 'a directory was made'
reprise extract "$ic/basic.icrep"; echo "exit $?"
