"""The same tables by one machine: alone.py FOLDER. Prints JSON."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pyarrow as pa  # noqa: E402
import reprise  # noqa: E402
import tables  # noqa: E402


def main():
    folder = str(Path(sys.argv[1]) / "archive")
    rows, errors = {}, {}
    for format, track in tables.TABLES:
        scan = reprise.scan(folder, track, format=format)
        counts = {}
        for batch in pa.RecordBatchReader.from_stream(scan):
            counts["files"] = counts.get("files", 0) + 1
            counts["rows"] = counts.get("rows", 0) + batch.num_rows
        rows[f"{format} {track}"] = counts["rows"]
        errors[f"{format} {track}"] = tables.as_errors(scan.errors, folder)
    format, track = tables.TIMED
    begun = time.process_time()
    for _ in pa.RecordBatchReader.from_stream(reprise.scan(folder, track, format=format, threads=1)):
        pass
    print(json.dumps({"rows": rows, "errors": errors, "scan_s": time.process_time() - begun}))


main()
