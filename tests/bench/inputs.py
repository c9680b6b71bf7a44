"""The recordings that duels read: generated once, kept in the build directory.

10, 60 and 180 minutes of each family, as players would have made them. prepare() makes all that a complete run
needs, several at a time, because the generators take minutes. Three hours of RUMBLE are one hour three times.
"""

import concurrent.futures
import os
import subprocess

from bench import Skip

MINUTES = (10, 60, 180)


def rumble(layout):
    def make(bench, minutes):
        path = bench.data / f"rumble_{layout}_{minutes}.replay"
        if minutes > 60 and not path.exists():
            hour = make(bench, 60)
            subprocess.run([bench.build / "tests" / "bench" / "lengthen", str(minutes // 60), hour, path], check=True)
        return bench.generated(f"rumble_{layout}_{minutes}.replay", "gen_rumble.py", "--size", str(minutes * 60),
                               "--dialect", layout, "--seed", "1", "--no-expect")
    return make


def rumble_second(bench):
    return bench.generated("rumble_z6_second.replay", "gen_rumble.py", "--size", "1", "--dialect", "z6",
                           "--seed", "1", "--no-expect")


def cs2kz(bench, minutes, seed=1):
    """A run in layout B5, as a server would have compressed it, whatever the generator had at hand."""
    name = f"cs2kz_{minutes}" + (f"_{seed}" if seed != 1 else "")
    path = bench.data / f"{name}.replay"
    if not path.exists():
        raw = bench.generated(f"{name}_raw.replay", "gen_cs2kz.py", "--layout", "B5",
                              "--type", "run", "--minutes", str(minutes), "--seed", str(seed),
                              "--summary", "-o")
        subprocess.run([bench.reprise, "recompress", "--level", "3", raw, path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        raw.unlink()
    return path


def openra(bench, minutes):
    return bench.generated(f"openra_{minutes}.orarep", "gen_openra.py", "write", "--frames",
                           str(minutes * 500), "--clients", "4", "--seed", "1", "--no-expect")


def remastered(bench, minutes):
    return bench.generated(f"remastered_{minutes}.bin", "gen_remastered.py", "write", "--frames",
                           str(minutes * 900), "--seed", "1", "--no-expect")


def ironcurtain(bench, minutes):
    return bench.generated(f"ironcurtain_{minutes}.icrep", "gen_ironcurtain.py", "--ticks",
                           str(minutes * 900), "--players", "4", "--units", "40", "--events", "--signed", "--out")


def mcreplay(bench, minutes):
    """Two entities at 20 frames per second."""
    return bench.generated(f"mcreplay_{minutes}.replay", "gen_mcreplay.py", "--entities", "2", "--frames",
                           str(minutes * 1200), "--sections", "4", "--world-frames", "40", "--no-expect", "--out")


def crowd(bench):
    """200 entities of 3000 frames."""
    return bench.generated("crowd.replay", "gen_mcreplay.py", "--size", "large", "--seed", "1",
                           "--no-expect", "--out")


# The archive of files that workers share.
ARCHIVE_MINUTES = 2
ARCHIVE_SEEDS = (1, 2, 3, 4)

FAMILIES = {
    "rumble z6": rumble("z6"),
    "rumble l1": rumble("l1"),
    "cs2kz": cs2kz,
    "openra": openra,
    "remastered": remastered,
    "ironcurtain": ironcurtain,
    "mcreplay": mcreplay,
}


def archive(bench):
    return [cs2kz(bench, ARCHIVE_MINUTES, seed) for seed in ARCHIVE_SEEDS]


def prepare(bench):
    """Everything, the longest first; what cannot be made is left to the duels, which say so."""
    work = [lambda make=make: [make(bench, minutes) for minutes in reversed(MINUTES)] for make in FAMILIES.values()]
    work += [lambda: crowd(bench), lambda: archive(bench), lambda: rumble_second(bench)]

    def attempt(make):
        try:
            make()
        except (Skip, subprocess.CalledProcessError):
            pass

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(attempt, work))
