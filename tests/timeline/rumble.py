"""RUMBLE: what a timeline says against `stats` and the rows of players and events."""

from columns import at

SHOWN_S = 0.75  # how long a move is shown


def damage_dealt(timeline, stats, rows):
    """Two players: what one lost the other dealt, at every moment. With more players this is unknown."""
    plot, players = timeline.plot("damage_dealt"), stats["derived"]["players"]
    if len(players) != 2:
        yield plot is None, "damage dealt among more or fewer than two"
        yield all("damage_dealt" not in p for p in players), "damage dealt in stats"
        return
    taken = timeline.plot("damage")
    for i in range(2):
        yield plot[i][1:] == taken[1 - i][1:], f"damage dealt by {i} differs from what the other took"
        yield (plot[i][2] or [0])[-1] == players[i]["damage_dealt"], f"damage dealt by {i} in the end"
        yield players[i]["damage_dealt"] == players[1 - i]["damage_taken"], f"stats of {i}"


def words(timeline, stats, rows):
    """Stones as the rows have them, and moves for a moment."""
    last = {}
    for row in rows("players"):
        number, now = row["player"], row["time"]
        said = timeline.words(number)
        if row.get("stack", "None") != "None":
            last[number] = (row["stack"], now)
        parts = [row[side] for side in ("left_stone", "right_stone") if row.get(side, "none") != "none"]
        move, since = last.get(number, (None, -9))
        if abs(now - since - SHOWN_S) < 0.001:
            continue  # on the edge
        if now - since < SHOWN_S:
            parts.append(move)
        text = at([t for t, _ in said], [text for _, text in said], now + 1e-4)
        yield text == ", ".join(parts), f"player {number} at {now}: '{text}', not {parts}"


def bands(timeline, stats, rows):
    """Stretches of much damage count the hits in them."""
    hits = stats["recorded"]["hits"]
    for band in timeline.bands("damage"):
        inside = sum(h["damage"] for h in hits if band["t0"] <= h["time"] < band["t1"])
        yield band["text"] == f"{inside} damage", f"{band} has {inside}"
    yield bool(timeline.bands("busy")) <= (not hits), "bands of markers although there are hits"


def totals(timeline, stats, rows):
    """What the Players tab says."""
    moves = {p["player"]: sum(p["moves"].values()) for p in stats["recorded"]["players"]}
    for player in stats["derived"]["players"]:
        found = timeline.totals(player["player"])
        hands = max(player[hand]["speed_max"] for hand in ("left_hand", "right_hand"))
        wanted = {"Damage taken": f"{player['damage_taken']:.0f}", "Moves": str(moves[player["player"]]),
                  "Fastest hand": f"{hands:.1f} m/s", "Way of the head": f"{player['head_distance']:.1f} m"}
        if "damage_dealt" in player:
            wanted["Damage dealt"] = f"{player['damage_dealt']:.0f}"
        yield not found or found == wanted, f"{found}, not {wanted}"


CHECKS = [damage_dealt, words, bands, totals]
