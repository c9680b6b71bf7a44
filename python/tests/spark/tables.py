"""What both sides read: (format, track), and one of them for timing."""

TABLES = [("rumble", "players"), ("cs2kz", "ticks"), ("mcreplay", "frames"), ("openra", "orders"),
          ("remastered", "events"), ("icrep", "orders")]
TIMED = ("openra", "orders")


def as_errors(rows, folder):
    """Errors in a form that can be compared: names without the folder."""
    return sorted([row["file"].split(folder, 1)[1], row["status"], row["rows"]] for row in rows)
