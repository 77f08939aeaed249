#!/usr/bin/env python3
"""Compares start, memory and HTTP with other servers and the physical limit, in one run, interleaved (A B A B).
Prints ratios.

usage: core_bench.py [pairs]       (make bench builds what it needs)
"""
import atexit
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUIRE = os.path.join(TOP, "build/quire")
BARE_STDIO = os.path.join(TOP, "build/bench/bare_stdio")
BARE_HTTP = os.path.join(TOP, "build/bench/bare_http")
PEERS = os.path.join(TOP, "bench/node/node_modules/@modelcontextprotocol")
PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
META = "io.modelcontextprotocol/"
HELLO = (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
         b'"clientInfo":{"name":"bench","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
         b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')
os.environ["XDG_STATE_HOME"] = state_home = tempfile.mkdtemp(prefix="quire-state.", dir="/var/tmp")
atexit.register(shutil.rmtree, state_home, ignore_errors=True)
rows = []


def row(name, value, unit, limit=None, at_least=False):
    verdict = "" if limit is None else "ok" if (value >= limit if at_least else value <= limit) else (
        "near" if (value >= limit * 0.85 if at_least else value <= limit * 1.15) else "MISSED")
    rows.append((name, value, unit, limit, verdict))
    print(f"{name:58} {value:12.3f} {unit:8} {'' if limit is None else ('>= ' if at_least else '<= ') + str(limit):10} {verdict}", flush=True)


def first_answer(argv):
    """Milliseconds from exec to the first tools/list result, and resident kilobytes after it."""
    start = time.perf_counter()
    p = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    p.stdin.write(HELLO)
    p.stdin.flush()
    while b'"id":2' not in (line := p.stdout.readline()):
        if not line:
            raise SystemExit(f"{argv[0]} ended without an answer")
    took = (time.perf_counter() - start) * 1000
    with open(f"/proc/{p.pid}/status", encoding="ascii") as f:
        rss = int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1))
    p.stdin.close()
    p.stdout.close()
    p.terminate()
    p.wait()
    return took, rss


def starts(root):
    node = ["node", "--no-warnings"]
    contestants = {
        "quire": ([QUIRE, "serve", "--root", root], PAIRS),
        "bare C": ([BARE_STDIO], PAIRS),
        "server-filesystem": (node + [f"{PEERS}/server-filesystem/dist/index.js", root], max(5, PAIRS // 6)),
        "server-everything": (node + [f"{PEERS}/server-everything/dist/index.js", "stdio"], max(5, PAIRS // 6)),
    }
    times, sizes = {n: [] for n in contestants}, {n: [] for n in contestants}
    for i in range(PAIRS):
        for name, (argv, runs) in contestants.items():
            if i < runs:
                took, rss = first_answer(argv)
                times[name].append(took)
                sizes[name].append(rss)
    t, m = {n: statistics.median(v) for n, v in times.items()}, {n: statistics.median(v) for n, v in sizes.items()}
    for name in contestants:
        row(f"exec to first tools/list: {name}", t[name], "ms")
        row(f"resident after it: {name}", m[name] / 1024, "MB")
    row("start: server-filesystem / quire", t["server-filesystem"] / t["quire"], "x", 100, True)
    row("start: server-everything / quire", t["server-everything"] / t["quire"], "x", 100, True)
    row("start: quire / bare C", t["quire"] / t["bare C"], "x", 2)
    row("memory: quire / server-filesystem", m["quire"] / m["server-filesystem"], "x", 0.1)
    row("memory: quire / server-everything", m["quire"] / m["server-everything"], "x", 0.1)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("a server did not start")


def load(port, body, headers, seconds=2):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write('wrk.method = "POST"\n' + f"wrk.body = {json.dumps(body)}\n")
        for k, v in headers.items():
            script.write(f"wrk.headers[{json.dumps(k)}] = {json.dumps(v)}\n")
        script.flush()
        out = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", script.name, f"http://127.0.0.1:{port}/mcp"],
                             capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out:
        raise SystemExit("wrk saw refusals: " + out)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))


def post(port, body, headers):
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    c.request("POST", "/mcp", body, headers)
    r = c.getresponse()
    return r, r.read()


def http_load(root):
    rounds = max(3, PAIRS // 10)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list",
                       "params": {"_meta": {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}}})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
    port, bare_port, peer_port = free_port(), free_port(), free_port()
    quire = subprocess.Popen([QUIRE, "serve", "--no-key", "--http", f"127.0.0.1:{port}", "--root", root], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    wait_for(port)
    answer = post(port, body, headers)[1]
    with open(os.path.join(root, "answer"), "wb") as f:
        f.write(answer)
    bare = subprocess.Popen([BARE_HTTP, str(bare_port), os.path.join(root, "answer")], stdout=subprocess.DEVNULL)
    peer = subprocess.Popen(["node", f"{PEERS}/server-everything/dist/index.js", "streamableHttp"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env={**os.environ, "PORT": str(peer_port)})
    wait_for(bare_port)
    wait_for(peer_port)
    hello = HELLO.split(b"\n")[0].decode()
    peer_headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    r, _ = post(peer_port, hello, peer_headers)
    peer_headers.update({"Mcp-Session-Id": r.getheader("Mcp-Session-Id"), "MCP-Protocol-Version": "2025-11-25"})
    post(peer_port, '{"jsonrpc":"2.0","method":"notifications/initialized"}', peer_headers)
    rates = {"quire": [], "bare libmicrohttpd": [], "server-everything": []}
    for _ in range(rounds):
        rates["quire"].append(load(port, body, headers))
        rates["bare libmicrohttpd"].append(load(bare_port, body, headers))
        rates["server-everything"].append(load(peer_port, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}', peer_headers))
    for p in (bare, peer):
        p.terminate()
        p.wait()
    best = {n: statistics.median(v) for n, v in rates.items()}
    for n, v in best.items():
        row(f"HTTP tools/list, 16 connections: {n}", v, "req/s")
    row("HTTP: quire / server-everything", best["quire"] / best["server-everything"], "x", 20, True)
    row("HTTP: quire / bare libmicrohttpd", best["quire"] / best["bare libmicrohttpd"], "x", 0.8, True)
    quire.send_signal(signal.SIGTERM)
    quire.wait()
    idle_streams(root)


def idle_streams(root):
    """With a key, because without one an address may have only 64 connections."""
    port, key = free_port(), "quire_key_of_the_bench_of_streams"
    with open(os.path.join(root, "keys.json"), "w", encoding="ascii") as f:
        json.dump({"keys": [{"name": "bench", "key": key, "grants": {"kinds": ["*"], "tools": ["*"], "write": ["**"]}}]}, f)
    quire = subprocess.Popen([QUIRE, "serve", "--keys", os.path.join(root, "keys.json"), "--http", f"127.0.0.1:{port}", "--root",
                              root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(port)
    watch_streams(port, quire.pid, key)
    quire.send_signal(signal.SIGTERM)
    quire.wait()


def watch_streams(port, pid, key):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    uri = "hnpx:///some.hnpx"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"resourceSubscriptions": [uri]},
        "_meta": {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}}}).encode()
    head = (f"POST /mcp HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            f"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    streams = []
    for _ in range(1000):
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall(head + body)
        streams.append(s)
    heard = 0
    for s in streams:
        said = b""
        while b"acknowledged" not in said and (more := s.recv(4096)):
            said += more
        heard += b"acknowledged" in said
    time.sleep(1.5)
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        rss = int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024
    row("open event streams", heard, "")
    row("resident with 1,000 idle event streams", rss, "MB", 25)
    for s in streams:
        s.close()


def main():
    with tempfile.TemporaryDirectory() as root:
        starts(root)
        http_load(root)
    missed = [r for r in rows if r[4] == "MISSED"]
    print(f"{len(rows)} figures, {len(missed)} missed")


if __name__ == "__main__":
    main()
