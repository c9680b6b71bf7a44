"""Makes a Python environment with the programs that read tables, once, outside the source tree.

usage: import packages; packages.enter(DIRECTORY)

Starts the running script again inside the environment. Exits with 77, which Meson counts as
skipped, and a reason if the packages cannot be had.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ENTERED = "REPRISE_TABLES_PACKAGES"
NEEDED = ["pyarrow", "polars", "duckdb", "pandas"]


def make(home):
    """Tests run side by side: one makes the environment, the others wait for it."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with open(home.with_name(home.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make_alone(home)


def make_alone(home):
    done = home / "complete"
    if done.exists():
        return
    steps = [[sys.executable, "-m", "venv", "--clear", home],
             [home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED]]
    for step in steps:
        run = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            lines = run.stdout.strip().splitlines()
            print(f"SKIPPED everything ({', '.join(NEEDED)} cannot be installed from PyPI: "
                  f"{lines[-1] if lines else run.returncode})")
            sys.exit(77)
    done.touch()


def enter(directory):
    home = Path(directory).resolve()
    if Path(sys.prefix) == home:
        return
    if os.environ.get(ENTERED) == str(home):
        sys.exit(f"{home} is not a Python environment; remove it")
    os.environ[ENTERED] = str(home)
    # A sanitizer that the library needs must not watch pip.
    preload = os.environ.pop("LD_PRELOAD", None)
    make(home)
    if preload:
        os.environ["LD_PRELOAD"] = preload
    python = home / "bin/python"
    os.execv(python, [python, *sys.argv])
