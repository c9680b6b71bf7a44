# A trusted signature covers states. It vouches for a map that they name, and for nothing else.
ic=data/../ironcurtain
reprise sign --new-key relay.key >trusted.txt
reprise sign --key relay.key "$ic/self-contained.icrep" signed.icrep -q
reprise extract --trusted-keys trusted.txt --only map signed.icrep map; echo "exit $?"
reprise extract --trusted-keys trusted.txt signed.icrep all; echo "exit $?"
reprise extract --trusted-keys trusted.txt --only rules signed.icrep rules; echo "exit $?"
reprise extract --only map signed.icrep other; echo "exit $?"
reprise extract --trusted-keys trusted.txt --only map --json signed.icrep again | validate extract
