"""Runs pytest and prints its result as the other tests of the tree do."""

import re
import subprocess


def count(output, word):
    found = re.findall(rf"(\d+) {word}", output.splitlines()[-1] if output.strip() else "")
    return int(found[0]) if found else 0


def run(command, **options):
    """The exit code; what pytest prints is shown as it comes, then "N passed, N failed"."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        output = ""
        for line in process.stdout:
            output += line
            print(line, end="", flush=True)
    failed = count(output, "failed") + count(output, "error")
    if process.returncode and not failed:
        failed = 1
    print(f"{count(output, 'passed')} passed, {failed} failed")
    return 1 if failed else 0
