#!/usr/bin/env python3
"""A thousand idle event streams: little memory, no work; each gets keep-alive comments and ends cleanly.

Half are streams of legacy sessions, half are modern subscriptions. The memory is that of the shipped program:
sanitizers need many times as much."""
import json
import os
import resource
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, PATIENCE, TOP, Folder, Http, Tap  # noqa: E402

FIXTURE = os.environ.get("QUIRE_SHIPPED", os.path.join(TOP, "build/quire-conformance"))
STREAMS, MEMORY_KB = 1000, 40 << 10
KEY = "quire_streams_of_a_thousand"
KEYS = json.dumps({"keys": [{"name": "all", "key": KEY, "grants": {"kinds": ["*"], "tools": ["*"]}}]})
SETTINGS = '[mcp_server]\nsessions_per_key = 1000\n[mcp_server.auth]\napi_keys_file = "keys.json"\n'
HEAD = (f"Host: localhost\r\nAuthorization: Bearer {KEY}\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        "User-Agent: node\r\nAccept-Language: *\r\nSec-Fetch-Mode: cors\r\nAccept-Encoding: gzip, deflate\r\n")


def post(stream, message, headers=""):
    body = json.dumps(message)
    stream.sendall(f"POST /mcp HTTP/1.1\r\n{HEAD}{headers}Content-Length: {len(body)}\r\n\r\n{body}".encode())


def hear(stream, words):
    data = b""
    stream.settimeout(PATIENCE)
    while words not in data:
        part = stream.recv(65536)
        if not part:
            raise EOFError(data)
        data += part
    return data


def session_stream(port):
    """Does what an official client does: initialize, initialized, GET; on one connection."""
    stream = socket.create_connection(("127.0.0.1", port))
    post(stream, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
    head = hear(stream, b"serverInfo").decode()
    session = head.split("Mcp-Session-Id: ")[1].split("\r\n")[0]
    post(stream, {"jsonrpc": "2.0", "method": "notifications/initialized"}, f"Mcp-Session-Id: {session}\r\n")
    hear(stream, b"202 ")
    stream.sendall(f"GET /mcp HTTP/1.1\r\n{HEAD}Mcp-Session-Id: {session}\r\n\r\n".encode())
    hear(stream, b"text/event-stream")
    return stream


def subscription(port):
    stream = socket.create_connection(("127.0.0.1", port))
    post(stream, {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"toolsListChanged": True},
        "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}}},
         f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: subscriptions/listen\r\n")
    hear(stream, b"acknowledged")
    return stream


def memory_kb(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def wakes(pid):
    """How often its threads have slept and been woken so far."""
    n = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as status:
            n += int(next(line for line in status if line.startswith("voluntary_ctxt_switches")).split()[1])
    return n


def main():
    tap = Tap()
    if not os.path.exists(FIXTURE):
        tap.skip("a thousand idle streams", "the program as shipped is not built")
        tap.done()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with Folder({"keys.json": KEYS, "quire.toml": SETTINGS}) as folder, Http(
            "--config", os.path.join(folder.path, "quire.toml"), root=folder.path, quire=FIXTURE, key=KEY) as server:
        pid = server.process.pid
        streams = [(session_stream if i % 2 else subscription)(server.port) for i in range(STREAMS)]
        tap.ok(True, f"{STREAMS} streams are open")
        print(f"# trials {STREAMS} streams", flush=True)
        kb = memory_kb(pid)
        tap.ok(kb < MEMORY_KB, f"{STREAMS} idle streams take less than {MEMORY_KB >> 10} MB", f"{kb} KB")
        print(f"# {kb} KB", flush=True)
        before = wakes(pid)
        tap.ok(all(hear(stream, b": keepalive\n\n") for stream in streams), "each hears that the server is there")
        woken = wakes(pid) - before
        print(f"# woken {woken} times", flush=True)
        tap.ok(woken < STREAMS, "for which alone it wakes up", woken)
        answer = server.request("tools/call", {"name": "test_trigger_tool_change", "arguments": {}})
        tap.ok("result" in answer, "a call among them is answered", answer)
        tap.ok(all(hear(stream, b"tools/list_changed") for stream in streams), "each hears the news")
        for stream in streams[:STREAMS // 4]:
            stream.close()
        streams = streams[STREAMS // 4:]
        server.process.terminate()
        ended = 0
        for i, stream in enumerate(streams):
            data = b""
            while not data.endswith(b"0\r\n\r\n"):
                part = stream.recv(65536)
                if not part:
                    break
                data += part
            ended += data.endswith(b"0\r\n\r\n") and (i % 2 == 1 or b'"resultType":"complete"' in data)
        tap.same(ended, len(streams), "at the stop each stream ends properly, subscriptions with their result")
        tap.same(server.process.wait(timeout=PATIENCE), 0, "and the status is 0")
    tap.done()


main()
