"""What the recipes share: the samples, small changes to them, and the list of recipes."""

import io
import random
import sys
import warnings
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
sys.path += [str(ROOT / "tests" / name) for name in ("oracle", "gltf", "timeline")]

RECIPES = {}


def recipe(suffix):
    def add(function):
        RECIPES[function.__name__.replace("_", "-") + suffix] = function
        return function
    return add


def sample(name):
    return (DATA / name).read_bytes()


def put(data, at, new):
    return data[:at] + new + data[at + len(new):]


def swap(data, old, new):
    if data.count(old) < 1:
        raise ValueError(f"no {old} in the sample")
    return data.replace(old, new, 1)


def seeded():
    """The same numbers in every run."""
    return random.Random(1)


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(*parts):
    """An archive of the members of all parts, in order; a name may come twice."""
    with io.BytesIO() as buffer:
        with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a name that comes twice
            for name, content in (item for part in parts for item in part.items()):
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return buffer.getvalue()
