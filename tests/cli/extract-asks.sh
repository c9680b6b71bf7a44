# On a terminal the question is asked, and what differs from installed rules is shown.
ic=data/../ironcurtain
mkdir -p installed/base-ra1/rules installed/mod-ü
reprise extract --allow-embedded "$ic/self-contained.icrep" first >/dev/null
cp first/rules/base-ra1/rules/vehicles.yaml installed/base-ra1/rules
sed 's/^/# /' first/rules/base-ra1/rules/infantry.yaml >installed/base-ra1/rules/infantry.yaml
ln -s /etc/passwd installed/mod-ü/empty.yaml
cat >ask.py <<'END'
"""Runs the command on a terminal of its own and gives an answer to every question."""
import os, pty, sys

answers = sys.argv[1]
pid, fd = pty.fork()
if not pid:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b""
try:
    while piece := os.read(fd, 4096):
        seen += piece
        while answers and seen.count(b"? ") > len(sys.argv[1]) - len(answers):
            os.write(fd, answers[0].encode() + b"\n")
            answers = answers[1:]
except OSError:
    pass
print(seen.decode().replace("\r", "").replace(os.environ["IC"] + "/", ""), end="")
print("exit", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
export IC=$ic
python3 ask.py dr reprise extract --installed installed "$ic/self-contained.icrep" out
test -e out && echo 'a directory was made'
python3 ask.py l reprise extract --only preset "$ic/self-contained.icrep" out
