"""What limits the lines that miss their goals, by a measurement. docs/performance.md has it.

Shares are of instructions under Callgrind, which do not depend on what else the machine does.
"""

# By the beginning of a line.
BUSY = "measured while other programs had the processors"
ARCHIVE = ("`info` takes 7.9 million instructions on the sample and `file` 2.1 million: 45 % of ours are Brotli, of which two "
           "passes tell layouts apart and one looks for private data, and 27 % open the file a second time for the latter")
LIMITS = {
    "info on one file": ARCHIVE,
    "info on 10000": ARCHIVE,
    "archive of 10000": "by the clock: " + BUSY + "; the work is that of the line below",
    "rumble L1 decode": "no profile has been made; libdeflate is 81 % of the instructions of `info`, which inflates the same "
                        "bytes",
    "cs2kz all sections": "16 % of the instructions make rows of the bytes (kz_read_records 9 %, kz_step_records 4 %, fill 3 %); "
                          "the rest is zstd",
    "cs2kz everything, 60 min / the game": "bare streaming zstd of all sections is already 5.7 times zstd of the ticks in one "
                                           "piece, which makes 3.3 the most that any decoder can reach in this measure",
    "cs2kz everything on two threads": "by the clock: " + BUSY,
    "on two threads / streaming zstd": "by the clock: " + BUSY,
    "cs2kz stats": "zstd was 64 % of the instructions and a second pass for the length 20 %, which has been removed since; "
                   "the rest makes rows and analyses them",
    "rumble l1 at": "the checksum of the gzip data is that of all bytes: 89 % of the instructions at 10 % of the hour inflate "
                    "the rest for it; without it, a changed byte would go unnoticed",
    "rumble z6 at": "at 10 % the process itself counts; the other moments are below 1",
    "openra at": "packets of a frame may be anywhere, so the headers of all packets are read; at 50 % and 90 % it is below 1",
    "remastered at": "at 10 % the process itself counts: 7.9 million instructions against 39.8 million of the decode",
    "mcreplay at": "at 10 % the process itself counts; the other moments are below 1",
    "mcreplay: state": "animations are text without an index: of a seek, 50 % of the instructions parse numbers up to the "
                       "moment, 17 % are XML and 15 % inflate",
    "ironcurtain: state": "a keyframe is loaded (36 % of the instructions, 27 % the hash of its state), the match simulated "
                          "from there (18 %), the two signatures around the moment checked (22 %), and the document made",
    "ironcurtain verify, 10 min": "82 % of its instructions hash the states of the match, which it simulates tick by tick, and "
                                  "15 % check signatures; the decode does neither",
    "openra import, 10/60/180": "all orders are kept and sorted before the first is written: of 279 MiB of heap at 180 minutes, "
                                "of which 195 MiB are touched, 128 MiB are the list and 128 MiB the room to sort it",
    "200 entities to GLB": "by the clock: " + BUSY,
    "CSV of cs2kz": "36 % of the instructions print floats and 8 % integers, 19 % choose and separate columns, 11 % go from "
                    "row to row; DuckDB has the columns in memory, ours begins with the file",
    "JSON lines of cs2kz": "as CSV: floats are the largest part, and DuckDB has the columns in memory",
    "ironcurtain at": "at 10 % the process itself counts; the other moments are below 1",
    "Arrow batches of cs2kz ticks": "a plain transposition of the same bytes takes no longer than memcpy (line below); a "
                                    "third of the filling computes columns: two speeds, the time of the run and keys",
    "Arrow batches of rumble players": "a plain transposition of the same bytes takes no longer than memcpy (line below); a frame has one or two "
                                       "rows, which are copied until there are many, and nine rotations per row are unpacked "
                                       "(a division and a square root each) and three places computed from them",
}


def limit_of(line):
    name = line["duel"].strip()
    for beginning, text in LIMITS.items():
        if name.startswith(beginning):
            return text
    if "by the clock" in name:
        return BUSY
    return "no profile has been made"
