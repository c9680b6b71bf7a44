"""The package as such: types, docstrings, documents."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import reprise

ROOT = Path(__file__).resolve().parents[2]
# spark.py has tests of its own, with Spark.
MODULES = ["reprise"] + [f"reprise.{m.name}" for m in pkgutil.iter_modules(reprise.__path__)
                         if m.name not in ("_native", "spark")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, folder):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0
    assert tried or name.endswith("_native")


def test_every_public_name_has_a_docstring():
    for name in reprise.__all__:
        assert name.startswith("__") or getattr(reprise, name).__doc__, name


def test_types_are_strict():
    run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null"], cwd=ROOT,
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_users_get_types(tmp_path):
    (tmp_path / "user.py").write_text(
        "import reprise\n"
        "replay = reprise.open('x')\n"
        "reveal_type(replay['ticks'].select('tick'))\n"
        "reveal_type(reprise.scan('x', 'ticks').errors)\n"
        "replay.at('later')\n")
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", "user.py"],
                         cwd=tmp_path, capture_output=True, text=True)
    assert "_table.Table" in run.stdout and "_table.Records" in run.stdout
    assert 'incompatible type "str"' in run.stdout


def test_the_extension_is_alone_and_abi3():
    path = Path(sys.modules["reprise._native"].__file__)
    assert path.name == "_native.abi3.so"
    needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    assert "libreprise" not in needed and "libpython" not in needed


def python_blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
def test_documents(page, folder):
    blocks = python_blocks(page)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0
