"""Recording and playing: times that the format's design promises, and loss, which must be none."""

import json
import subprocess
import tempfile

from bench import duel, result

GOALS = {
    "recorder: a tick with 8 orders, p99": 5,
    "recorder: lost at 1000 ticks/s, 500 units, fsync every second": 0,
    "full snapshot of 500 units": 3,
    "delta of 500 units after 300 ticks": 1,
    "scrub to any tick of an hour, slowest": 50,
}


@duel
def live(bench):
    with tempfile.TemporaryDirectory(dir=bench.data) as folder:
        made = subprocess.run([bench.build / "tests" / "bench" / "duel_live",
                               f"{folder}/match.icrep"], stdout=subprocess.PIPE, check=True)
    for line in made.stdout.decode().splitlines():
        one = json.loads(line)
        yield result(one["measure"], one["value"], one["unit"], GOALS.get(one["measure"]),
                     at_most=True)
