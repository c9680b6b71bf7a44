"""What limits the lines that miss their goals, by a measurement. docs/performance.md has it."""

# By the beginning of a line.
LIMITS = {
}


def limit_of(line):
    name = line["duel"].strip()
    for beginning, text in LIMITS.items():
        if name.startswith(beginning):
            return text
    return "no profile has been made"
