"""What limits the lines that miss their goals, by a measurement. docs/performance.md has it.

Shares are of instructions under Callgrind, which do not depend on what else the machine does.
"""

# By the beginning of a line.
ONE = ("`info` takes 4.2 million instructions on the sample and `file` 2.1 million: 28 % of ours are Brotli, 21 % the dynamic "
       "linker, 14 % tell layouts apart and 10 % look for private data")
MANY = ("in one process `info` takes 2.8 million instructions for each RUMBLE sample and `file` 1.3 million: 37 % of ours open "
        "the file and tell layouts apart, 34 % compute the statistics that lists of files show, from all rows, and 17 % look for "
        "private data; 28 % of all are Brotli")
GLB = ("of ten minutes of two entities, 35 % of the instructions parse numbers, 12 % are XML, 21 % make keys of the animation and "
       "6 % inflate")
LIMITS = {
    "info on one file": ONE,
    "info on 10000": MANY,
    "archive of 10000": "the work is that of the line below",
    "rumble L1 decode": "reading 30 000 frames into rows takes 13 million instructions after the 59 million of libdeflate",
    "rumble Z6 decode": "reading 30 000 frames into rows takes 30 million instructions after the 109 million of Brotli",
    "rumble z6 verify, 60 min, two": "Brotli gives one stream that cannot be divided: the thread that unpacks it takes 84 of the 94 ms "
                                     "that one thread takes for everything, which makes 1.12 the most",
    "cs2kz verify, 60 min, two": "one thread unpacks and fills the moves, 326 of 750 million instructions; the other does the rest, "
                                 "which makes 1.77 the most",
    "cs2kz all sections": "16 % of the instructions make rows of the bytes (kz_read_records 9 %, kz_step_records 4 %, fill 3 %); "
                          "the rest is zstd",
    "cs2kz everything, 60 min / the game": "bare streaming zstd of all sections is already 5.7 times zstd of the ticks in one "
                                           "piece, which makes 3.3 the most that any decoder can reach in this measure",
    "cs2kz everything on two threads": "as for the next line; two threads are 1.7 times as fast as one",
    "on two threads / streaming zstd": "two threads are faster than one by the factor of the next line; making rows, which bare "
                                       "zstd does not, is the rest",
    "mcreplay glb, 10 min, two": "a third of the time of one thread is XML and numbers of animations, which the second thread reads "
                                 "ahead, and 10 % inflate two documents, which both do at once; the first thread does the rest",
    "openra decode all orders": "the file fits the cache of the processor, where memcpy reads more than 30 GB/s; the line below "
                                "gives the speed of ours",
    "cs2kz stats": "zstd is 64 % of the instructions, rows are made by 13 % and analysed by 20 %",
    "rumble l1 at": "the checksum of the gzip data is that of all bytes: 89 % of the instructions at 10 % of the hour inflate "
                    "the rest for it; without it, a changed byte would go unnoticed",
    "rumble z6 at": "at 10 % it takes 91 million instructions and the decode 100 million: a miss is not more work of the "
                    "program",
    "cs2kz at": "at 10 % it takes 95 million instructions and the decode 131 million: a miss is not more work of the program",
    "openra at": "at 10 % it takes 141 million instructions and the decode 114 million: 40 % of ours settle the layout from all "
                 "packets and 21 % survey them, because packets of a frame may be anywhere",
    "remastered at": "at 10 % the process itself counts: 7.9 million instructions against 39.8 million of the decode",
    "mcreplay at": "at 10 % the process itself counts; the other moments are below 1",
    "mcreplay: state": "animations are text without an index: of a seek, 50 % of the instructions parse numbers up to the "
                       "moment, 17 % are XML and 15 % inflate",
    "ironcurtain: state": "a keyframe is loaded (17 % of the instructions, 8 % the hash of its state), the match simulated "
                          "from there (25 %), the two signatures around the moment checked (23 %), and the document made (19 %); "
                          "hashes and signatures that an earlier seek has checked are not checked again",
    "icsave verify and decode / SHA-256 stored, LZ4, SHA-256 state": "0.037 ms of 0.330 are the difference of both sides: ours also "
                                                                     "makes entities of the state and checks them",
    "ironcurtain verify, 10 min": "82 % of its instructions hash the states of the match, which it simulates tick by tick, 9 % "
                                  "make them, and 6 % check signatures; the decode does none of that",
    "openra import, 10/60/180": "all orders are kept before the first is written, 136 bytes each and what they point to; "
                                "places are sorted instead of them, which takes 112 MiB where it took 195",
    "200 entities to GLB": GLB,
    "by processor time": GLB,
    "mcreplay animation": "50 % of the instructions of a decode parse numbers, which expat alone does not, and 12 % are XML",
    "CSV of cs2kz": "36 % of the instructions print floats and 8 % integers, 19 % choose and separate columns, 11 % go from "
                    "row to row; DuckDB has the columns in memory, ours begins with the file",
    "JSON lines of cs2kz": "as CSV: floats are the largest part, and DuckDB has the columns in memory",
    "ironcurtain at": "at 10 % the process itself counts; the other moments are below 1",
    "Arrow batches of cs2kz ticks": "a plain transposition of the same bytes is half as fast as memcpy (line below); of 297 "
                                    "instructions per row, 45 % gather columns of rows, 28 % compute columns (two speeds, the "
                                    "time of the run, keys) and find which values are there, and 14 % copy these to their columns",
    "Arrow batches of rumble players": "a plain transposition of the same bytes is half as fast as memcpy (line below); of 920 "
                                       "instructions per row, 19 % unpack five rotations, 19 % add the text of a player's looks, "
                                       "17 % take rows two at a time, as frames have them, and keep them until there are many, 12 % gather "
                                       "columns of rows and 9 % compute places and rotations in the world",
    "Python: open and read cs2kz ticks": "Python takes 1.03 of the instructions of C, 54.7 million against 52.9, and 1.07 to "
                                         "1.09 of its time: of the difference, pyarrow takes 38 % to import the schema of 71 "
                                         "columns, half of that is the library making it, and 34 % to import three batches",
}


def limit_of(line):
    name = line["duel"].strip()
    for beginning, text in LIMITS.items():
        if name.startswith(beginning):
            return text
    return "no profile has been made"
