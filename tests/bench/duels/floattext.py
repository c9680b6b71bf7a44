"""Floats to text and back, against the C++ library. What JSON lines print has a goal."""

from bench import duel, result

GOALS = {"print f32 positions": 1.0, "print f32 rotations": 1.0}


@duel
def float_text(bench):
    for line in bench.program("duel_floattext", "--json"):
        yield result(f"floats: {line['duel']} / std", line["ratio"], "x", GOALS.get(line["duel"]),
                     ours_ns=line["ours_ns"], theirs_ns=line["theirs_ns"])
