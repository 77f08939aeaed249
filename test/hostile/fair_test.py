#!/usr/bin/env python3
"""One client cannot lock out the others: connections, wrong keys, sessions, watches, workers, chunked bodies."""
import fcntl
import json
import os
import re
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, PATIENCE, TOP, Folder, Http, Tap, wait_for  # noqa: E402

ONE, OTHER = "quire_key_of_the_first_client", "quire_key_of_the_second_client"
KEYS = json.dumps({"keys": [{"name": name, "key": key, "grants": {"kinds": ["*"], "tools": ["*"], "write": ["**"]}}
                            for name, key in (("one", ONE), ("other", OTHER))]})
with open(os.path.join(TOP, "examples/lighthouse.hnpx"), encoding="utf-8") as f:
    BOOK = f.read()


def settings(more=""):
    return f'[mcp_server]\n{more}\n[mcp_server.auth]\napi_keys_file = "keys.json"\n'


def serve(folder):
    return Http("--config", os.path.join(folder.path, "quire.toml"), root=folder.path, key=ONE)


def connect(port, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))


def ask(port, key=None, source="127.0.0.1", chunked=False, extra=b""):
    """The status of one request, and the whole response; 0: the connection was closed without a response."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {
        "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}}}).encode()
    lines = [b"POST /mcp HTTP/1.1", b"Host: localhost", b"Content-Type: application/json",
             b"Accept: application/json, text/event-stream", b"MCP-Protocol-Version: " + MODERN.encode(),
             b"Mcp-Method: tools/list"]
    if key:
        lines.append(b"Authorization: Bearer " + key.encode())
    if chunked:
        lines.append(b"Transfer-Encoding: chunked")
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    else:
        lines += [b"Content-Length: %d" % len(body), b"Connection: close"]
    heard = b""
    with connect(port, source) as s:
        try:
            s.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body + extra)
            while part := s.recv(65536):
                heard += part
        except OSError:
            pass
    found = re.match(rb"HTTP/1.1 (\d+)", heard)
    return int(found.group(1)) if found else 0, heard


def wrong_keys(tap):
    with Folder({"keys.json": KEYS, "quire.toml": settings()}) as folder, serve(folder) as server:
        first = [ask(server.port, f"wrong{i}")[0] for i in range(10)]
        tap.same(first, [401] * 10, "ten wrong keys in a minute are told so")
        status, heard = ask(server.port, "wrong")
        tap.ok(status == 429 and b"Retry-After: " in heard, "the eleventh is held back, with Retry-After", heard)
        tap.same(ask(server.port, ONE)[0], 200, "a valid key from the same address is not")
        tap.same(ask(server.port, "wrong", "127.0.0.2")[0], 401, "nor is another address")


def connections(tap):
    with Folder({"keys.json": KEYS, "quire.toml": settings("connections_per_address = 8")}) as folder, \
            serve(folder) as server:
        idle = [connect(server.port) for _ in range(10)]
        tap.ok(wait_for(lambda: ask(server.port)[0] == 503), "beyond its connections an address without a key gets 503")
        tap.same(ask(server.port, ONE)[0], 200, "with a valid key it is served")
        more = [connect(server.port) for _ in range(2200)]
        began = time.time()
        tap.same(ask(server.port, OTHER, "127.0.0.2")[0], 200, "2,200 idle sockets do not keep another address out")
        tap.ok(wait_for(lambda: ask(server.port, ONE)[0] == 200), "and their own address only until their time is over",
               time.time() - began)
        for s in idle + more:
            s.close()
    with Folder({"keys.json": KEYS, "quire.toml": settings("connections_per_address_with_key = 3")}) as folder, \
            serve(folder) as server:
        def held(_):
            s = connect(server.port)
            s.sendall(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + ONE.encode() + b"\r\n\r\n")
            s.recv(100)
            return s
        three = [held(i) for i in range(3)]
        tap.same(ask(server.port, ONE)[0], 503, "connections with a key are bounded too")
        three[0].close()
        tap.ok(wait_for(lambda: ask(server.port, ONE)[0] == 200), "when one has gone the next is served")
        for s in three[1:]:
            s.close()


def silent_crowd(tap):
    """Silent connections take every place of clients without a key. They leave for clients that speak."""
    with Folder({"keys.json": KEYS, "quire.toml": settings()}) as folder, serve(folder) as server:
        idle = [connect(server.port) for _ in range(80)]
        heard = [ask(server.port, ONE)[0] for _ in range(118)]
        tap.same(heard, [200] * 118, "80 silent connections do not shut out one with a key")
        idle += [connect(server.port) for _ in range(120)]
        tap.same([ask(server.port, ONE)[0] for _ in range(20)], [200] * 20, "nor do those that follow")
        for s in idle:
            s.close()


def legacy(server, method, params, session=None, key=ONE):
    headers = {"Authorization": "Bearer " + key, **({"Mcp-Session-Id": session} if session else {})}
    status, got, content = server.raw("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                                                                  "params": params}), headers)
    return status, got.get("mcp-session-id"), json.loads(content) if content else {}


def hello(server, key=ONE):
    return legacy(server, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}}, key=key)[1]


def sessions(tap):
    with Folder({"keys.json": KEYS, "a.hnpx": BOOK, "b.hnpx": BOOK, "c.hnpx": BOOK,
                 "quire.toml": settings("sessions_per_key = 3\nwatches_per_key = 2")}) as folder, \
            serve(folder) as server:
        foreign = hello(server, OTHER)
        mine = [hello(server) for _ in range(3)]
        legacy(server, "ping", {}, mine[0])
        hello(server)
        tap.same([legacy(server, "ping", {}, s)[0] for s in mine], [200, 404, 200],
                 "a session too many ends the key's least recently used one")
        tap.same(legacy(server, "ping", {}, foreign, OTHER)[0], 200, "and no other key's")
        legacy(server, "notifications/initialized", {}, mine[0])
        answers = [legacy(server, "resources/subscribe", {"uri": f"hnpx:///{n}.hnpx"}, mine[0])[2] for n in "abc"]
        tap.same(["error" in a for a in answers], [False, False, True], "a watch too many is refused")


def workers(tap):
    with Folder({"keys.json": KEYS, "locked/a.hnpx": BOOK, "b.hnpx": BOOK, "quire.toml": settings()}) as folder, \
            serve(folder) as server:
        ended = []
        lock = os.open(os.path.join(folder.path, "locked"), os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)

        def write(i):
            headers = {"Authorization": "Bearer " + ONE}
            _, _, said = server.raw("POST", "/mcp/hnpx", json.dumps({"method": "edit_node_attributes", "params": {
                "file_path": "locked/a.hnpx", "node_id": "00egiu", "attributes": {"summary": f"Summary {i}"}}}), headers)
            ended.append(said)
        threads = [threading.Thread(target=write, args=(i,), daemon=True) for i in range(16)]
        for t in threads:
            t.start()
        time.sleep(1)
        status, _, _ = server.raw("POST", "/mcp/hnpx", json.dumps({"method": "get_node", "params": {
            "file_path": "b.hnpx", "node_id": "00egiu"}}), {"Authorization": "Bearer " + OTHER})
        tap.ok(status == 200 and not ended, "while one key's calls wait for a lock another key's is answered", ended)
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)
        for t in threads:
            t.join(PATIENCE)
        tap.same(len(ended), 16, "and those that waited are answered too")


def chunks(tap):
    smuggled = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    with Folder({"keys.json": KEYS, "quire.toml": settings()}) as folder, serve(folder) as server:
        status, heard = ask(server.port, ONE, chunked=True, extra=smuggled)
        tap.ok(status == 200 and heard.count(b"HTTP/1.1 ") == 1 and b"Connection: close" in heard,
               "a connection ends after a chunked request, and nothing behind it is read", heard[:300])
    with Folder({"keys.json": KEYS, "quire.toml": settings("chunked = false")}) as folder, serve(folder) as server:
        status, heard = ask(server.port, ONE, chunked=True, extra=smuggled)
        tap.ok(status == 411 and heard.count(b"HTTP/1.1 ") == 1, "chunked = false: 411", heard[:300])
        tap.same(ask(server.port, ONE)[0], 200, "a length is taken there")


def main():
    import resource
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    tap = Tap()
    for part in [globals()[n] for n in sys.argv[1:]] or (wrong_keys, connections, silent_crowd, sessions, workers, chunks):
        part(tap)
    tap.done()


main()
