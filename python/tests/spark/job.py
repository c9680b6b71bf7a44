"""The tables through Spark: job.py FOLDER MASTER [--timing]. Prints JSON.

FOLDER has the archive, and in `tables` Parquet files of samples. With --timing only the timed query runs.
"""

import contextlib
import io
import json
import os
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import reprise.spark  # noqa: E402
import tables  # noqa: E402
from sessions import session  # noqa: E402


def load(spark, folder, format, track, **options):
    reader = spark.read.format("reprise").option("track", track).option("replayFormat", format)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(folder)


def plan(frame):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        frame.explain("formatted")
    return text.getvalue()


def processes(words):
    """Memory in MiB at most, and CPU seconds, of the processes below this one with these words."""
    found, parents = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
            status = (process / "status").read_text()
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        number = int(process.name)
        parents[number] = int(fields[1])
        if words in command and "VmHWM:" in status:
            used = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
            found[number] = int(status.split("VmHWM:")[1].split()[0]) // 1024, used

    def below(number):
        while number and number != os.getpid():
            number = parents.get(number, 0)
        return bool(number)

    mine = [value for number, value in found.items() if below(number)]
    return max((mib for mib, _ in mine), default=0), sum(used for _, used in mine)


def timed(spark, folder):
    frame = load(spark, folder, *tables.TIMED, partitionFiles="250")
    frame.limit(1).count()  # workers are running now
    before = processes("pyspark.daemon")[1], processes("SparkSubmit")[1]
    begun = time.monotonic()
    rows = frame.groupBy(frame.columns[1]).count().count()
    taken = time.monotonic() - begun
    (worker_mib, worker_s), (jvm_mib, jvm_s) = processes("pyspark.daemon"), processes("SparkSubmit")
    return {"job_s": taken, "groups": rows, "worker_mib": worker_mib, "jvm_mib": jvm_mib,
            "worker_cpu_s": worker_s - before[0], "jvm_cpu_s": jvm_s - before[1]}


def everything(spark, folder):
    rows, errors = {}, {}
    for format, track in tables.TABLES:
        name = f"{format} {track}"
        rows[name] = load(spark, folder, format, track).count()
        found = load(spark, folder, format, track, errors="true").collect()
        errors[name] = tables.as_errors((row.asDict() for row in found), folder)
    return {"rows": rows, "errors": errors}


def pruning(spark, folder):
    chosen = load(spark, folder, "cs2kz", "ticks", columns="tick,time", partitionFiles="50")
    name = next(row.file for row in chosen.select("file").limit(1).collect())
    one = load(spark, folder, "cs2kz", "ticks", columns="tick,time", include=Path(name).name)
    given = (spark.read.format("reprise").schema("file string, tick bigint").option("track", "ticks")
             .option("replayFormat", "cs2kz").load(folder))
    return {"plan": plan(chosen), "partitions": chosen.rdd.getNumPartitions(),
            "partitions_of_one": one.rdd.getNumPartitions(),
            "pruned": [given.groupBy().sum("tick").collect()[0][0], one.count()],
            "unpruned": [chosen.groupBy().sum("tick").collect()[0][0],
                         chosen.where(chosen.file == name).count()],
            "again": chosen.groupBy().sum("tick").collect()[0][0]}


def hadoop(spark, folder):
    """The same files through Spark's own file systems, a tenth of them."""
    part = f"{folder}/000"
    binary = (spark.read.format("binaryFile").option("recursiveFileLookup", "true")
              .load(f"file://{part}"))
    read = reprise.spark.from_binary(binary, "events", format="remastered", columns=["frame"])
    bad = reprise.spark.from_binary(binary, "events", format="remastered", errors=True)
    direct = load(spark, part, "remastered", "events")
    return {"binary": [read.count(), bad.count()],
            "direct": [direct.count(),
                       load(spark, part, "remastered", "events", errors="true").count()]}


def guide(spark, folder):
    """What the examples of docs/guide/spark.md count, run with the paths of this machine."""
    text = (Path(__file__).resolve().parents[3] / "docs/guide/spark.md").read_text(encoding="utf-8")
    here = Path(folder).parent
    names, counts = {"spark": spark}, []
    for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        block = re.sub(r'"(hdfs://)?/archive"', lambda m: f'"{"file://" if m[1] else ""}{folder}"', block)
        block = block.replace('"tables/', f'"{here}/tables/')
        found = {}
        exec(block, names, found)
        names |= found
        counts.append({name: value.count() for name, value in found.items() if name in ("ticks", "bad")})
    return {"guide": counts}


def main():
    folder, master = str(Path(sys.argv[1]) / "archive"), sys.argv[2]
    spark = session(master)
    reprise.spark.register(spark)
    answer = {"master": master, **timed(spark, folder)}
    if "--timing" not in sys.argv:
        answer |= everything(spark, folder) | pruning(spark, folder) | hadoop(spark, folder) \
            | guide(spark, folder)
    spark.stop()
    print(json.dumps(answer))


main()
