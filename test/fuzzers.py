#!/usr/bin/env python3
"""Runs every fuzzer for a while on a copy of its corpus, for make torture. QUIRE_FUZZ_SECONDS: how long each (default 2).
Each line says how many inputs were tried. What a fuzzer finds is kept in build/fuzz."""
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = os.environ.get("QUIRE_FUZZ_SECONDS", "2")
SEED = os.environ.get("QUIRE_SEED", "0")

fuzzers = sorted(glob.glob(os.path.join(TOP, "build/fuzz/*_fuzz")))
if not fuzzers:
    print("1..0 # SKIP make torture builds the fuzzers")
    sys.exit(0)
bad = 0
for n, fuzzer in enumerate(fuzzers):
    name = os.path.basename(fuzzer)[: -len("_fuzz")]
    with tempfile.TemporaryDirectory() as found:
        done = subprocess.run([fuzzer, f"-max_total_time={SECONDS}", "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0",
                               "-print_final_stats=1", f"-seed={SEED}", f"-artifact_prefix={TOP}/build/fuzz/{name}-", found,
                               os.path.join(TOP, "fuzz/corpus", name)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out = done.stdout.decode(errors="replace")
    tried = re.search(r"number_of_executed_units:\s*(\d+)", out)
    print(f"# trials {tried.group(1) if tried else 0} inputs of {name}", flush=True)
    bad += done.returncode != 0
    print(f"{'not ok' if done.returncode else 'ok'} {n + 1} - {name}", flush=True)
    if done.returncode:
        print("\n".join("# " + line for line in out.splitlines()[-20:]))
print(f"1..{len(fuzzers)}")
sys.exit(bad > 0)
