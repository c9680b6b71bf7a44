"""Makes a Python environment with the package of this tree and what its tests need."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = {
    "spark": ["pyarrow", "pandas<3", "pyspark>=4"],
    "test": ["pytest", "mypy", "pyarrow", "polars", "duckdb", "pandas"],
}
BUILDING = ["meson-python>=0.15", "meson>=1.0", "ninja", "wheel"]


def clean():
    """The environment without the sanitizer of the tests around this one, which pip cannot use."""
    return {name: value for name, value in os.environ.items()
            if name not in ("LD_PRELOAD", "PYTHONPATH", "PYTHONHOME")}


def step(command):
    run = subprocess.run(command, cwd=ROOT, env=clean(), stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    return None if run.returncode == 0 else run.stdout


def skip(what, output):
    lines = [line for line in output.strip().splitlines() if line.startswith("ERROR")]
    print(f"SKIPPED {what} ({(lines or output.strip().splitlines() or ['failed'])[-1]})")
    print("0 passed, 0 failed")
    sys.exit(0)


def install(home, packages):
    """Installs packages from PyPI, once."""
    done = home / "installed"
    if done.exists() and done.read_text() == "\n".join(packages):
        return
    pip = [home / "bin/pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([sys.executable, "-m", "venv", "--clear", home],
                    [*pip, *BUILDING], [*pip, *packages]):
        problem = step(command)
        if problem:
            skip("everything that needs packages of PyPI", problem)
    done.write_text("\n".join(packages))


def make(directory, kind):
    """The Python of an environment in which the package of this tree is installed."""
    home = Path(directory) / kind
    home.mkdir(parents=True, exist_ok=True)
    install(home, NEEDED[kind])
    # What `pip install .` does, without fetching meson-python each time and with a build that is kept,
    # which environments that are made at the same time share.
    with open(Path(directory) / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        problem = step([home / "bin/pip", "install", "--quiet", "--disable-pip-version-check",
                        "--no-build-isolation", "--no-deps", "--force-reinstall",
                        f"-Cbuild-dir={Path(directory) / 'package'}", ROOT])
    if problem:
        print(problem)
        print("0 passed, 1 failed")
        sys.exit(1)
    return home / "bin/python"
