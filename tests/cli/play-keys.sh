# The player on a terminal, key by key: what each one does is read from the picture.
export SOURCE_DATE_EPOCH=1771156800 NO_COLOR=1
reprise record --demo skirmish --seed 7 --ticks 330 -q match.icrep
reprise record --demo skirmish --seed 7 --ticks 330 -q spoilt.icrep
cat >drive.py <<'END'
import fcntl, os, pty, re, select, struct, sys, termios, time

FRAME = re.compile(rb"\x1b\[H(.*?)\x1b\[K\x1b\[J", re.S)
KEYS = {"space": b" ", "period": b".", "comma": b",", "slower": b"[", "faster": b"]",
        "left": b"\x1b[D", "right": b"\x1b[C", "home": b"\x1b[H", "end": b"\x1b[F",
        "bookmark": b"\x02", "spoilers": b"s", "quit": b"q"}


class Player:
    """A program on a terminal of 90 by 24, and its last picture."""

    def __init__(self, *arguments):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvp("reprise", ["reprise", "play", *arguments])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
        self.bytes = b""

    def read(self):
        ready, _, _ = select.select([self.fd], [], [], 0.2)
        if ready:
            try:
                self.bytes += os.read(self.fd, 65536)
            except OSError:
                return False
        return True

    def lines(self):
        frames = FRAME.findall(self.bytes)
        picture = frames[-1] if frames else b""
        return [line.decode() for line in re.split(rb"\x1b\[K\r*\n", picture)]

    def status(self):
        """The transport bar: (paused, tick, speed, what is between)."""
        for line in self.lines():
            found = re.match(r"\[(.*)\] (\|\||>>?|\S+) (.*?)tick (\d+)\s+(\S+)", line)
            if found:
                return found[2] == "||", int(found[4]), found[5], found[3].strip()
        return None, None, None, ""

    def wait(self, what, seconds=1800):
        """Reads until a condition on the status holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if what(*self.status()):
                return self.status()
        print("never came:", self.status(), *self.lines(), sep="\n")
        sys.exit(1)

    def press(self, key):
        self.bytes = b""
        os.write(self.fd, KEYS[key])

    def step(self, key, paused, tick, speed="1x", start=0):
        """Presses a key and waits until the picture shows just that; ticks count from `start`."""
        self.press(key)
        self.wait(lambda p, t, s, _: p == paused and t == start + tick and s == speed)
        print(f"{key}: {'paused' if paused else 'playing'} at {tick}, {speed}")

    def quit(self):
        self.press("quit")
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        print("exit", os.waitstatus_to_exitcode(status))
END
cat >keys.py <<'END'
from drive import *

player = Player("match.icrep")
player.wait(lambda paused, tick, *_: paused is False and tick > 3)
print("plays by itself")
player.press("space")
_, tick, _, _ = player.wait(lambda paused, *_: paused)
print("space: paused")
player.step("period", True, 1, start=tick)
player.step("period", True, 2, start=tick)
player.step("comma", True, 1, start=tick)
player.step("home", True, 0)
player.step("comma", True, 0)
for speed in ("2x", "4x", "8x", "max", "max"):
    player.step("faster", True, 0, speed)
for speed in ("8x", "4x", "2x", "1x", "0.5x", "0.25x", "0.25x"):
    player.step("slower", True, 0, speed)
player.step("faster", True, 0, "0.5x")
player.step("faster", True, 0)
marks = []
while True:
    player.press("right")
    before = marks[-1] if marks else 0
    _, tick, _, _ = player.wait(lambda p, t, s, _: t is not None and t > before)
    marks.append(tick)
    if tick == 330:
        break
print("right:", *marks)
back = []
for expected in reversed([0] + marks[:-1]):
    player.press("left")
    player.wait(lambda p, t, s, _: t == expected)
    back.append(expected)
print("left:", *back)
player.step("end", True, 330)
player.step("period", True, 330)
player.step("home", True, 0)
for _ in range(7):
    player.press("period")
    player.wait(lambda p, t, s, _, want=_ + 1: t == want)
player.press("bookmark")
player.wait(lambda *_: "7  bookmark" in [line.strip() for line in player.lines()])
player.press("bookmark")
player.step("home", True, 0)
print("bookmark, twice:", open("match.icrep.bookmarks").read().strip())
player.step("right", True, 7)
player.press("space")
player.wait(lambda paused, tick, *_: paused is False and tick > 9)
print("space: plays on")
colours = [line for line in player.lines() if "\x1b" in line]
print("lines with escapes:", len(colours))
player.quit()
END
python3 keys.py
# A bookmark outlives the player; the length is shown unless it is hidden.
cat >spoilers.py <<'END'
from drive import *

player = Player("--spoiler-free", "--from", "100", "spoilt.icrep")
_, _, _, shown = player.wait(lambda paused, tick, *_: tick is not None and tick >= 100)
print("spoiler-free:", "/" in shown)
player.press("spoilers")
_, _, _, shown = player.wait(lambda p, t, s, shown: "/" in shown)
print("spoilers:", shown.split("/")[1].strip())
player.press("spoilers")
_, _, _, shown = player.wait(lambda p, t, s, shown: "/" not in shown)
print("hidden again:", "0:22" in "".join(player.lines()))
player.quit()
END
python3 spoilers.py
cat >again.py <<'END'
from drive import *

player = Player("--from", "300", "match.icrep")
player.wait(lambda paused, tick, *_: tick is not None and tick >= 300)
player.press("space")
player.wait(lambda paused, *_: paused)
player.press("home")
player.wait(lambda p, t, s, _: t == 0)
player.step("right", True, 7)
player.quit()
END
python3 again.py
