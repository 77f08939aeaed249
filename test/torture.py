#!/usr/bin/env python3
"""make torture T=600: repeats the attacks of test/crash and test/hostile in turn for T seconds; prints one table at
the end.

A trial is one kill, fault, power cut, write, path or client that was tried. Tests print how many ("# trials N ...");
in a test that prints none, each claim is one. A failed claim counts in the column of its row: a loss (bytes), an
escape (a path, a grant, a wall), a crash or a leak. The kills of servers go over all kinds, both stores and both
transports. A program that dies by a signal or a sanitizer is always a crash. Tests that
still run when the time is over are ended; their trials so far count. Each round has its own QUIRE_SEED. Exit 1: a
loss, an escape, a crash or a leak."""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PIECES = (  # name, the column of a failed claim, the program
    ("kill", "losses", "build/release/test/crash/crash_test"),
    ("kill at each step", "losses", "build/asan/test/crash/crash_test"),
    ("kill of a server", "losses", "test/hostile/killed_test.py"),
    ("thousands", "losses", "build/release/test/crash/thousands_test"),
    ("fault", "losses", "build/asan/test/crash/faults_test"),
    ("power cut", "losses", "build/release/test/crash/power_test"),
    ("rivals", "losses", "build/release/test/crash/rivals_test"),
    ("meetings", "losses", "build/release/test/crash/meetings_test"),
    ("editors", "losses", "build/release/test/crash/editors_test"),
    ("open editors", "losses", "build/release/test/crash/holders_test"),
    ("damaged history", "losses", "test/work/damaged_test.py"),
    ("writers", "losses", "test/wire/writers_test.py"),
    ("vaults", "losses", "test/kinds/notes/random_test.py"),
    ("manuals", "losses", "test/kinds/docjl/model_test.py"),
    ("path race", "escapes", "build/asan/test/work/paths_test"),
    ("names", "escapes", "test/hostile/names_test.py"),
    ("grants", "escapes", "test/guard/secrecy_test.py"),
    ("confinement", "escapes", "test/hostile/confined_test.py"),
    ("confined calls", "escapes", "build/asan/test/base/confine_test"),
    ("ended calls", "leaks", "test/hostile/ended_test.py"),
    ("fuzz inputs", "crashes", "test/fuzzers.py"),
    ("slow readers", "crashes", "test/hostile/memory_test.py unread"),
    ("idle streams", "crashes", "test/hostile/streams_test.py"),
    ("chaos", "crashes", "test/hostile/chaos_test.py"),
    ("no memory", "crashes", "test/hostile/allocations_test.py"),
    ("bombs", "crashes", "test/hostile/memory_test.py bombs limits starved word confined"),
)
CAMPAIGN = {"WRITES": "10000", "OPERATIONS": "5000", "STEPS": "1500", "QUIRE_KILLS": "20"}  # more than make test has time for
COLUMNS = ("losses", "escapes", "crashes", "leaks")


def run(program, seconds, seed):
    """Its output and its exit status (None: the time was over)."""
    name, *words = program.split()
    child = subprocess.Popen([os.path.join(TOP, name), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True, cwd=TOP,
                             env={**os.environ, **CAMPAIGN, "QUIRE_SEED": str(seed), "SEED": str(seed)})
    try:
        out, status = child.communicate(timeout=max(seconds, 1))[0], child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, status = child.communicate()[0], None
    return out.decode(errors="replace"), status


def peak(seconds, program, seed):
    """The same, and the peak memory of it or its children in MB: in a process of its own, so that only this piece
    counts."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        out, status = run(program, seconds, seed)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        with os.fdopen(writer, "w") as to:
            json.dump([out, status, most], to)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as source:
        answer = json.load(source)
    os.waitpid(pid, 0)
    return answer


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    end = time.monotonic() + seconds
    rows = {what: dict(rounds=0, trials=0, losses=0, escapes=0, crashes=0, leaks=0, peak=0) for what, _, _ in PIECES}
    failed = []
    rounds = 0
    while time.monotonic() < end:
        rounds += 1
        for n, (what, column, program) in enumerate(PIECES):
            left = end - time.monotonic()
            if left <= 0:
                break
            # In the first round each gets its share, so that a short run tries them all.
            first = rows[what]["rounds"] == 0
            out, status, most = peak(left / (len(PIECES) - n) if first else left, program, rounds)
            row = rows[what]
            claims = re.findall(r"^(ok|not ok) \d+.*$", out, re.M)
            bad = re.findall(r"^not ok \d+.*$", out, re.M)
            row["rounds"] += 1
            row["trials"] += sum(map(int, re.findall(r"^# trials (\d+)", out, re.M))) or len(claims)
            row[column] += len(bad)
            row["peak"] = max(row["peak"], most)
            failed += [f"{program}: {line}" for line in bad]
            if (status is not None and status < 0) or "Sanitizer" in out or (status and not bad):
                row["leaks" if "LeakSanitizer" in out else "crashes"] += 1
                failed.append(f"{program}: ended with {status}\n{out[-2000:]}")
    print("\n".join(failed))
    print(f"{'':18}{'rounds':>8}{'trials':>12}" + "".join(f"{c:>9}" for c in COLUMNS) + f"{'peak MB':>9}")
    for what, row in rows.items():
        print(f"{what:18}{row['rounds']:8}{row['trials']:12}" + "".join(f"{row[c]:9}" for c in COLUMNS) + f"{row['peak']:9}")
    sums = {c: sum(r[c] for r in rows.values()) for c in COLUMNS}
    print(f"{'all':18}{sum(r['rounds'] for r in rows.values()):8}{sum(r['trials'] for r in rows.values()):12}"
          + "".join(f"{sums[c]:9}" for c in COLUMNS) + f"{max(r['peak'] for r in rows.values()):9}")
    sys.exit(1 if any(sums.values()) else 0)


main()
