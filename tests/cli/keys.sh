# A secret key is for its owner alone: written so, and refused when others may use it.
ic=data/../ironcurtain
(umask 000; reprise sign --new-key relay.key >trusted.txt; stat -c '%a %n' relay.key)
chmod 644 trusted.txt
for mode in 640 604 660 400 600; do
    chmod $mode relay.key
    reprise sign --key relay.key --force "$ic/basic.icrep" signed.icrep -q; echo "sign, mode $mode: exit $?"
    reprise record --demo skirmish --ticks 40 --key relay.key --force match.icrep -q 2>&1 | head -n 1
done
reprise verify -q --trusted-keys trusted.txt signed.icrep >/dev/null; echo "exit $?"
# A list of trusted keys may be read by all, but not be written by them; a secret key does not belong there.
chmod 666 trusted.txt; reprise verify --trusted-keys trusted.txt signed.icrep; echo "exit $?"
reprise verify --trusted-keys relay.key signed.icrep; echo "exit $?"
reprise extract --trusted-keys relay.key signed.icrep out; echo "exit $?"
