#!/usr/bin/env python3
"""Search among 10,000 notes: quire against @bitbonsai/mcpvault, in turn in one run, in CPU time of the server.

Notes have about 3 KB, most of it in a code block, so that the vectors are computed in half a minute: the model
reads only the prose, the index of words reads everything.

usage: search_bench.py [notes] [pairs]       (make bench builds what it needs)
"""
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOTES = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
QUIRE = os.environ.get("QUIRE", os.path.join(TOP, "build/quire"))
PEER = os.path.join(TOP, "bench/node/node_modules/@bitbonsai/mcpvault/dist/server.js")
TICK = os.sysconf("SC_CLK_TCK")
WORDS = [a + b + c for a in ("ka", "ro", "mi", "ten", "sul", "va") for b in ("der", "no", "pli", "gor", "es", "tu")
         for c in ("ban", "che", "lo", "fi", "ra", "mo", "s", "n")]


class Server:
    def __init__(self, argv):
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.id = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.id:
                return answer["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def cpu_ms(self):
        """CPU time of the process, from the scheduler; exact to microseconds if the kernel supports it."""
        total = 0.0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{task}/schedstat", encoding="ascii") as f:
                    total += int(f.read().split()[0]) / 1e6
            except FileNotFoundError:
                pass
        return total

    def resident_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


def vault(folder):
    chance = random.Random(7)
    for i in range(NOTES):
        path = os.path.join(folder, f"folder-{i % 100}")
        os.makedirs(path, exist_ok=True)
        text = " ".join(chance.choice(WORDS) for _ in range(430))
        with open(os.path.join(path, f"note-{i}.md"), "w", encoding="ascii") as f:
            f.write(f"# {chance.choice(WORDS)} {i}\n\nAbout {chance.choice(WORDS)}.\n\n```\n{text}\n```\n")


def vectors(quire):
    """Waits until every note has its vector: then the warning about them is gone."""
    for _ in range(1200):
        answer = json.dumps(quire.call("search", query="warm", limit=1))
        if "semantic index" not in answer:
            return True
        time.sleep(0.5)
    return False


def spent(server, tool, arguments):
    before = server.cpu_ms()
    answer = server.call(tool, **arguments)
    assert not answer.get("isError"), answer
    return server.cpu_ms() - before


def main():
    folder = tempfile.mkdtemp(prefix="quire-bench.", dir="/var/tmp")
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    root = os.path.join(folder, "vault")
    try:
        vault(root)
        quire = Server([QUIRE, "serve", "notes", "--root", root])
        start = time.perf_counter()
        first = spent(quire, "search", {"query": "warm", "limit": 5})
        print(f"{'first search, notes read and indexed':50} {first:10.1f} ms CPU, {(time.perf_counter() - start) * 1000:.0f} ms wall")
        full = vectors(quire)
        print(f"{'vectors of ' + str(NOTES) + ' notes' + ('' if full else ' (NOT complete)'):50} {quire.cpu_ms() / 1000:10.1f} s CPU in the background")
        peer = Server(["node", "--no-warnings", PEER, root])
        peer.call("search_notes", query="warm")
        chance = random.Random(11)
        figures = {"quire": [], "quire, words only": [], "mcpvault": []}
        for i in range(PAIRS):
            query = f"{chance.choice(WORDS)} {chance.choice(WORDS)}"
            figures["quire"].append(spent(quire, "search", {"query": query, "limit": 5}))
            figures["quire, words only"].append(spent(quire, "search", {"query": query, "limit": 5, "mode": "text"}))
            if i < max(5, PAIRS // 3):
                figures["mcpvault"].append(spent(peer, "search_notes", {"query": query, "limit": 5}))
        median = {name: statistics.median(values) for name, values in figures.items()}
        for name, value in median.items():
            print(f"{'search among ' + str(NOTES) + ' notes: ' + name:50} {value:10.3f} ms CPU")
        ratio = median["mcpvault"] / median["quire"]
        print(f"{'search: at most 10 ms':50} {median['quire']:10.3f} ms       {'ok' if median['quire'] <= 10 else 'MISSED'}")
        print(f"{'search: mcpvault / quire, at least 200':50} {ratio:10.1f} x        {'ok' if ratio >= 200 else 'MISSED'}")
        print(f"{'resident: quire, graph, words and vectors':50} {quire.resident_mb():10.1f} MB       "
              f"{'ok' if quire.resident_mb() <= 60 else 'MISSED'}")
        print(f"{'resident: mcpvault':50} {peer.resident_mb():10.1f} MB")
        peer.close()
        quire.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
