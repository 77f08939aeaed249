#!/usr/bin/env python3
"""Notes: cold start compared with reading the files once, warm calls in CPU time, memory, and creating compared with
a durable file.

Vaults are generated. NOTES=1000,10000,100000 chooses their sizes."""
import os
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../test/support"))
from quire import TOP, Stdio  # noqa: E402

QUIRE = os.path.join(TOP, "build/quire")
SIZES = [int(n) for n in os.environ.get("NOTES", "1000,10000").split(",") if n]
WORDS = [f"word{i}" for i in range(4000)]


def generate(root, n):
    rng = random.Random(1)
    name = lambda i: f"folder{i % 50}/note-{i}.md"
    for i in range(min(n, 50)):
        os.makedirs(os.path.join(root, f"folder{i}"), exist_ok=True)
    for i in range(n):
        links = " ".join(f"[[note-{rng.randrange(max(1, int(n * rng.random() ** 3)))}]]" for _ in range(8))
        body = " ".join(rng.choices(WORDS, k=350))
        with open(os.path.join(root, name(i)), "w") as f:
            f.write(f"---\ntags: [t{i % 100}, common]\n---\n\n# Note {i}\n\n{links}\n\n{body}\n")


def cpu(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(next(line for line in f if line.startswith("VmRSS")).split()[1]) / 1024


def spent(command, root):
    """CPU seconds of a command and its children, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, shell=True, cwd=root, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cold(root, note):
    return spent(f"{QUIRE} call --root . notes get_node --id {note}", root)


def cat(root):
    return spent("find . -type f -print0 | xargs -0 cat", root)


def warm(root, note, other):
    calls = {"get_node depth 1": ("get_node", {"id": note, "depth": 1}), "get_neighbors": ("get_neighbors", {"id": note}),
             "find_path": ("find_path", {"source": other, "target": note}), "get_hubs": ("get_hubs", {}),
             "search_by_tags": ("search_by_tags", {"tags": ["t7"]}), "find_nodes": ("find_nodes", {}),
             "search text": ("search", {"query": "word17 word1200", "mode": "text"})}
    with Stdio("notes", root=root, quire=QUIRE) as q:
        q.call("get_node", {"id": note})
        print(f"  memory after loading {memory(q.process.pid):.1f} MB")
        for label, (tool, arguments) in calls.items():
            q.call(tool, arguments)
            n, before = 200, cpu(q.process.pid)
            for _ in range(n):
                q.call(tool, arguments)
            print(f"  {label}: {(cpu(q.process.pid) - before) / n * 1000:.2f} ms of CPU")
        print(f"  memory with the words of search {memory(q.process.pid):.1f} MB")


def durable(root, i):
    """Creates a file so that it survives power loss: written under another name, flushed, renamed, its folder
    flushed."""
    path = os.path.join(root, f"plain-{i}.md")
    fd = os.open(path + "~", os.O_CREAT | os.O_WRONLY | os.O_EXCL)
    os.write(fd, b"---\ntitle: created\n---\nsee [[note-1]]\n")
    os.fsync(fd)
    os.close(fd)
    os.rename(path + "~", path)
    folder = os.open(root, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def timed(run):
    began = time.monotonic()
    run()
    return time.monotonic() - began


def creating(root):
    """Medians of 60 rounds, with one of each per round, because the speed of the disk varies. A ping measures the
    cost of this client and the pipe."""
    with Stdio("notes", root=root, quire=QUIRE) as q:
        q.call("create_node", {"title": "first", "content": "x"})
        turns = [(timed(lambda: q.request("ping")),
                  timed(lambda: q.call("create_node", {"title": f"created {i}", "content": "see [[note-1]]"})),
                  timed(lambda: durable(root, i))) for i in range(60)]
        ping, one, plain = (statistics.median(t[k] for t in turns) for k in range(3))
        print(f"  create_node {one * 1000:.2f} ms, a ping {ping * 1000:.2f} ms, a durable file {plain * 1000:.2f} ms: "
              f"beyond the ping {(one - ping) / plain:.1f} times")
        began = time.monotonic()
        moved = q.call("update_node", {"id": "folder1/note-1.md", "title": "Another Name"})["result"]
        told = moved.get("structuredContent", moved).get("_warnings")
        print(f"  rename with links {(time.monotonic() - began) * 1000:.0f} ms: {told}")


def filled(folder, state, records):
    """A history whose records are just under the limit of 256 MB, while its file is larger."""
    with Stdio("notes", "--state", state, root=folder, quire=QUIRE) as q:
        q.call("create_node", {"title": "first", "content": "x"})
    with sqlite3.connect(os.path.join(state, "history.db")) as db:
        each = (256 << 20) // records - 4
        place = os.path.realpath(folder)
        db.executemany("INSERT INTO commits(id, time, who, tool, summary, kind, state, is_cut) VALUES(?, ?, '', '', 'old', 0, 1, 0)",
                       ((i, int(time.time() * 1000)) for i in range(10, records + 10)))
        db.executemany("INSERT INTO documents(id, path, after, is_cut, since, added, removed, bytes, form, delta)"
                       " VALUES(?, ?, 'aaaaaaaaaaaaaaaa', 0, 0, 0, 0, ?, 2, ?)",
                       ((i, f"{place}/old-{i % 2000}.md", each, os.urandom(8) * ((each - 200) // 8)) for i in range(10, records + 10)))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def beside_a_full_history(records=290000):
    """create_node beside a history near its limit and beside an empty one, in turns."""
    top = tempfile.mkdtemp(prefix="quire-bench.")
    try:
        for name in "full", "empty":
            os.mkdir(os.path.join(top, name))
        filled(os.path.join(top, "full"), os.path.join(top, "full.state"), records)
        size = os.path.getsize(os.path.join(top, "full.state", "history.db")) >> 20
        with Stdio("notes", "--state", top + "/full.state", root=top + "/full", quire=QUIRE) as full, \
                Stdio("notes", "--state", top + "/empty.state", root=top + "/empty", quire=QUIRE) as empty:
            turns = [[timed(lambda: q.call("create_node", {"title": f"n {i}", "content": "x"})) for q in (full, empty)]
                     for i in range(200)]
        one, other = (statistics.median(t[k] for t in turns) for k in range(2))
        print(f"create_node beside a history of {records} records ({size} MB) {one * 1000:.2f} ms, beside an empty one "
              f"{other * 1000:.2f} ms: {one / other:.2f} times; slowest {max(t[0] for t in turns) * 1000:.0f} ms")
    finally:
        shutil.rmtree(top)


beside_a_full_history()
for size in SIZES:
    vault = tempfile.mkdtemp(prefix="quire-bench.")
    try:
        generate(vault, size)
        print(f"{size} notes")
        pairs = [(cold(vault, "folder1/note-1.md"), cat(vault)) for _ in range(3 if size > 50000 else 7)]
        ours, theirs = min(p[0] for p in pairs), min(p[1] for p in pairs)
        print(f"  start to a correct get_node {ours * 1000:.0f} ms of CPU, find | xargs cat {theirs * 1000:.0f} ms: {ours / theirs:.1f} times")
        warm(vault, "folder1/note-1.md", f"folder{(size - 1) % 50}/note-{size - 1}.md")
        creating(vault)
    finally:
        shutil.rmtree(vault)
