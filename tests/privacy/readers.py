"""The oracles' readers of OpenRA, classic and Iron Curtain files, for oracle.py."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / name) for name in ("oracle", "gltf", "timeline")]
import ironcurtain  # noqa: E402, F401
import ironcurtain_types as types  # noqa: E402, F401
import openra  # noqa: E402, F401
import remastered  # noqa: E402, F401
from bincode import encode  # noqa: E402, F401
