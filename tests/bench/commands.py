"""The commands that duels run on the recordings of each family."""

# The track that `cat` prints, and the plot.
SHOWN = {
    "rumble z6": ("players", "speed"),
    "rumble l1": ("players", "speed"),
    "cs2kz": ("ticks", "speed"),
    "openra": ("orders", "apm"),
    "remastered": ("events", "apm"),
    "ironcurtain": ("orders", "apm"),
    "mcreplay": ("parts", "speed"),
}
CONVERTED = {"rumble l1": "z6", "cs2kz": "a1", "openra": "p20"}


def verbs(bench, family, path):
    """Names and words of the verbs of a family. Results go nowhere, or are replaced."""
    track, plot = SHOWN[family]
    new = bench.data / f"result{path.suffix}"
    yield "info", ["info", path]
    yield "cat", ["cat", "--track", track, path]
    yield "stats", ["stats", path]
    yield "verify", ["verify", path]
    yield "plot", ["plot", "--what", plot, path]
    yield "diff", ["diff", path, path]
    yield "glb", ["export", "--force", path, bench.data / "result.glb"]
    yield "html", ["export", "--force", path, bench.data / "result.html"]
    if family in CONVERTED:
        yield "convert", ["convert", "--lossy", "--force", "--to", CONVERTED[family], path, new]
    if family in ("rumble z6", "cs2kz", "openra"):
        yield "anonymize", ["anonymize", "--force", path, new]
    if family in ("rumble z6", "cs2kz"):
        yield "recompress", ["recompress", "--force", "--level", "1", path, new]
    if family in ("openra", "remastered"):
        yield "import", ["import", "--force", path, "-o", bench.data / "result.icrep"]
