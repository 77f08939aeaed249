#!/usr/bin/env python3
"""The access log, keys that are revoked while their streams are open, limits of callers without a key."""
import http.client
import json
import os
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, QUIRE, Folder, Http, Stdio, Tap, wait_for  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(os.path.dirname(QUIRE), "quire-conformance"))
BOOK = '<?xml version="1.0" encoding="UTF-8"?>\n<book id="bbbbbb">\n  <summary>secret words</summary>\n</book>\n'
EVERYTHING = {"kinds": ["*"], "tools": ["*"], "documents": ["**"], "write": ["**"]}
BOTH = "application/json, text/event-stream"
tap = Tap()


def keys(folder, *rows):
    folder.write("keys.json", json.dumps({"keys": [{"name": name, "key": name + "-secret", **more} for name, more in rows]}))
    os.chmod(folder.path + "/keys.json", 0o600)
    return folder.path + "/keys.json"


def config(folder, text):
    folder.write("quire.toml", text)
    return ["--config", folder.path + "/quire.toml"]


class Log:
    """The new lines since the last check."""

    def __init__(self, folder):
        self.path = folder.path + "/access.log"
        self.at = 0

    def more(self):
        with open(self.path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        fresh, self.at = lines[self.at:], len(lines)
        return [json.loads(line) for line in fresh]


def shape(line):
    return tuple(line.get(name) for name in ("key", "method", "kind", "tool", "outcome", "code"))


with Folder({"root/a.hnpx": BOOK, "root/secret/b.hnpx": BOOK}) as folder:
    root = folder.path + "/root"
    file = keys(folder, ("anna", {"grants": {**EVERYTHING, "documents": ["*"], "write": ["*"]}}),
                ("bert", {"grants": {**EVERYTHING, "kinds": ["floorplan"]}}),
                ("carl", {"grants": EVERYTHING, "rate_limit": {"requests_per_minute": 1}}))
    with Http(*config(folder, "[mcp_server]\naccess_log = 'access.log'\nmax_connections = 4\n"), "--keys", file, root=root) as server:
        log = Log(folder)
        refusals = (
            ("no key is 401", 401, (None, "POST /mcp"), {}, "POST", "/mcp", "{}"),
            ("a wrong key is 401", 401, (None, "POST /mcp"), {"Authorization": "Bearer nobody"}, "POST", "/mcp", "{}"),
            ("no such address is 404", 404, (None, "GET (another address)"), {}, "GET", "/nothing", None),
            ("a foreign Host is 403", 403, (None, "POST /mcp"), {"Host": "evil.example"}, "POST", "/mcp", "{}"),
            ("a foreign Origin is 403", 403, (None, "POST /mcp"), {"Origin": "https://evil.example"}, "POST", "/mcp", "{}"),
            ("two keys are 400", 400, (None, "POST /mcp"), None, "POST", "/mcp", "{}"),
            ("a kind that was not granted is 403", 403, ("bert", "POST /mcp/hnpx"), {"Authorization": "Bearer bert-secret"}, "POST",
             "/mcp/hnpx", "{}"),
            ("a strange method is 405", 405, ("anna", "PUT /mcp"), {"Authorization": "Bearer anna-secret"}, "PUT", "/mcp", "{}"),
            ("a strange type is 415", 415, ("anna", "POST /mcp"), {"Authorization": "Bearer anna-secret", "Content-Type": "text/plain"},
             "POST", "/mcp", "{}"),
            ("a body too large is 413", 413, ("anna", "POST /mcp"), {"Authorization": "Bearer anna-secret"}, "POST", "/mcp",
             " " * (1 << 20) + "{}"),
            ("a session that is none is 404", 404, ("anna", "DELETE /mcp"), {"Authorization": "Bearer anna-secret", "Mcp-Session-Id": "x"},
             "DELETE", "/mcp", None),
        )
        for claim, status, (key, method), headers, verb, path, body in refusals:
            if headers is None:
                raw = socket.create_connection(("127.0.0.1", server.port))
                raw.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n")
                have = int(raw.recv(1000).split()[1])
                raw.close()
            else:
                have = server.raw(verb, path, body, headers)[0]
            lines = log.more()
            kind = "hnpx" if path == "/mcp/hnpx" else None
            tap.ok(have == status and [shape(line) for line in lines] == [(key, method, kind, None, "refused", status)] and
                   lines[0]["peer"] == "127.0.0.1", f"{claim}, and has its line", (have, lines))
        for address in ("/anna-secret", "/mcp/anna-secret", "/mcp?key=anna-secret", "/mcp#anna-secret", "http://u:anna-secret@localhost/mcp",
                        "http://anna-secret@localhost/nothing", "/d/anna-secret", "//anna-secret@localhost/mcp"):
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(f"POST {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}".encode())
                while raw.recv(4096):
                    pass
            lines = log.more()
            tap.ok(lines and "secret" not in json.dumps(lines), f"a key in the address {address} is not logged", lines)
        server.key = "carl-secret"
        server.raw("POST", "/mcp", "{}")
        log.more()
        tap.same((server.raw("POST", "/mcp", "{}")[0], [shape(line) for line in log.more()]),
                 (429, [("carl", "POST /mcp", None, None, "refused", 429)]), "one request too many is 429, and has its line")
        crowd = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(6)]
        crowd[-1].sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        have = int(crowd[-1].recv(1000).split()[1])
        tap.same((have, [shape(line) for line in log.more()]), (503, [(None, "POST /mcp", None, None, "refused", 503)]),
                 "one connection too many is 503, and has its line")
        for one in crowd:
            one.close()
        wait_for(lambda: server.raw("GET", "/health")[0] == 200)
        log.more()
        server.raw("GET", "/health")
        tap.same(log.more(), [], "who asks for the health has no line")

        # Calls.
        server.key = "anna-secret"
        server.call("hnpx_get_subtree", {"file_path": "a.hnpx", "node_id": "book"})
        lines = log.more()
        tap.ok([shape(line) for line in lines] == [("anna", "tools/call", "hnpx", "get_subtree", "done", None)] and
               lines[0]["documents"] == ["a.hnpx"], "a call names its key, kind, tool and document", lines)
        server.call("hnpx_edit_node_attributes", {"file_path": root + "/a.hnpx", "node_id": "book", "attributes": {"summary": "other secret words"}})
        tap.same([(line["tool"], line["documents"]) for line in log.more()], [("edit_node_attributes", ["a.hnpx"])],
                 "a document is named below its root, however it was called")
        server.call("hnpx_get_subtree", {"file_path": "secret/b.hnpx", "node_id": "book"})
        lines = log.more()
        tap.ok(lines[0]["documents"] == ["secret/b.hnpx"] and lines[0]["outcome"] not in ("done", "refused"),
               "what was not granted is named too, with the refusal", lines)
        server.request("resources/read", {"uri": "hnpx:///a.hnpx"})
        lines = log.more()
        tap.ok([shape(line) for line in lines] == [("anna", "resources/read", "hnpx", None, "done", None)] and
               lines[0]["documents"] == ["a.hnpx"], "reading a resource has its line", lines)
        server.request("resources/read", {"uri": "hnpx:///none.hnpx"})
        tap.same([shape(line)[1:] for line in log.more()], [("resources/read", "hnpx", None, "refused", -32602)],
                 "an error of the protocol has its code")
        server.call("file_history", {"file_path": "a.hnpx"})
        tap.same([(line["tool"], line["documents"]) for line in log.more()], [("file_history", ["a.hnpx"])], "history is logged as well")
        server.request("no/such")
        tap.same([shape(line)[1:] for line in log.more()], [("no/such", None, None, "refused", -32601)], "an unknown method is logged")
        server.raw("POST", "/mcp", "nonsense")
        tap.same([shape(line) for line in log.more()], [("anna", None, None, None, "refused", -32700)], "what is no JSON is logged")
        server.raw("POST", "/mcp", json.dumps({"method": "hnpx_get_next_empty_container", "params": {"file_path": "a.hnpx"}}))
        server.raw("POST", "/mcp", json.dumps({"method": "no_tool"}))
        tap.same([shape(line)[1:] for line in log.more()], [("plain", "hnpx", "get_next_empty_container", "done", None),
                                                            ("plain", None, None, "INVALID_ARGUMENT", None)], "so is the plain form")
        text = folder.read("access.log").decode()
        tap.ok("secret words" not in text and "anna-secret" not in text and "Bearer" not in text,
               "the log holds neither contents nor secrets")

        # SIGHUP.
        os.rename(folder.path + "/access.log", folder.path + "/access.log.1")
        os.chmod(file, 0o644)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: os.path.exists(folder.path + "/access.log"))
        # The file exists shortly before the server writes to it.
        log, lines = Log(folder), []
        wait_for(lambda: server.request("tools/list") and (lines.extend(log.more()) or lines))
        tap.same([shape(line)[1] for line in lines], ["tools/list"], "a log that was renamed is opened anew by SIGHUP")
        tap.ok(wait_for(lambda: any("chmod 600" in line for line in server.errors)), "and a keys file others may read is warned about again",
               server.errors)

with Folder({"root/a.hnpx": BOOK}) as folder:
    with Stdio("hnpx", *config(folder, "[mcp_server]\naccess_log = 'access.log'\n"), root=folder.path + "/root") as q:
        log = Log(folder)
        tap.same([shape(line)[1:] for line in log.more()], [("initialize", None, None, "done", None)], "the handshake has its line")
        q.send({"jsonrpc": "2.0", "method": "notifications/nothing"})
        q.call("get_next_empty_container", {"file_path": "a.hnpx"})
        lines = log.more()
        tap.ok([shape(line) for line in lines] == [(None, "tools/call", "hnpx", "get_next_empty_container", "done", None)] and lines[0]["peer"] is None,
               "on stdio there is no key and no address; notifications have no line", lines)
with Folder() as folder:
    with Stdio(*config(folder, "[mcp_server]\naccess_log = 'access.log'\n"), root=folder.path, quire=FIXTURE,
               capabilities={"elicitation": {}}) as q:
        log = Log(folder)
        q.send({"jsonrpc": "2.0", "id": "ask", "method": "tools/call", "params": {"name": "test_streaming_elicitation"}})
        asked = q.receive()
        q.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"name": "Ada"}}})
        q.receive()
        q.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "test_slow"}})
        wait_for(lambda: "test_slow begins" in "".join(q.errors))
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})
        q.call("test_simple_text")
        tap.same([(line["tool"], line["outcome"]) for line in log.more() if line["tool"]],
                 [("test_streaming_elicitation", "done"), ("test_slow", "cancelled"), ("test_simple_text", "done")],
                 "a call that asked has one line, a cancelled one says so")


class Stream:
    """A stream of events on a connection of its own."""

    def __init__(self, server, key, method="GET", message=None, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.connection.request(method, "/mcp", message and json.dumps(message),
                                {"Accept": BOTH, "Content-Type": "application/json", "Authorization": "Bearer " + key,
                                 **{name.replace("_", "-"): value for name, value in headers.items()}})
        self.response = self.connection.getresponse()
        self.heard = []

    def event(self):
        """The next message; None: the stream has ended."""
        while line := self.response.readline():
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        return None

    def drain(self):
        while (one := self.event()) is not None:
            self.heard.append(one)


def listen(server, key, uri):
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}
    stream = Stream(server, key, "POST", {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"resourceSubscriptions": [uri]}, "_meta": meta}},
        MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen")
    assert stream.event()["method"] == "notifications/subscriptions/acknowledged"
    return stream


def session(server, key, uri):
    """A legacy session that watches a resource, and its stream."""
    headers = {"Authorization": "Bearer " + key}
    _, got, _ = server.raw("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}), headers)
    headers["Mcp-Session-Id"] = got["mcp-session-id"]
    server.raw("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), headers)
    server.raw("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri}}), headers)
    return Stream(server, key, Mcp_Session_Id=got["mcp-session-id"]), headers


with Folder({"root/a.hnpx": BOOK, "root/b.hnpx": BOOK}) as folder:
    uri = "hnpx:///a.hnpx"
    everybody = [("stays", {"grants": EVERYTHING}), ("gone", {"grants": EVERYTHING}), ("rotated", {"grants": EVERYTHING}),
                 ("narrowed", {"grants": EVERYTHING}), ("editor", {"grants": EVERYTHING})]
    file = keys(folder, *everybody)
    with Http("--keys", file, root=folder.path + "/root") as server:
        listens = {name: listen(server, name + "-secret", uri) for name, _ in everybody[:4]}
        sessions = {name: session(server, name + "-secret", uri) for name, _ in everybody[:4]}
        keys(folder, ("stays", {"grants": EVERYTHING}), ("rotated", {"key": "another-secret", "grants": EVERYTHING}),
             ("narrowed", {"grants": {**EVERYTHING, "documents": ["b*"], "write": ["b*"]}}), ("editor", {"grants": EVERYTHING}))
        server.process.send_signal(signal.SIGHUP)
        for name in ("gone", "rotated"):
            last = listens[name].event()
            tap.ok(last and last.get("result", {}).get("resultType") == "complete" and listens[name].event() is None,
                   f"the subscription of a key that is {name} ends with its result", last)
            tap.same(sessions[name][0].event(), None, f"the session's stream of a key that is {name} ends")
        tap.same(server.raw("POST", "/mcp", "{}", {**sessions["gone"][1]})[0], 401, "the key itself is refused")
        ping = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"})
        tap.same(server.raw("POST", "/mcp", ping, {**sessions["rotated"][1], "Authorization": "Bearer another-secret"})[0], 404,
                 "a session of the old secret is not the new one's")
        tap.same(server.raw("POST", "/mcp", ping, sessions["stays"][1])[0], 200, "a session of a key that stays goes on")
        server.key = "editor-secret"
        server.call("hnpx_edit_node_attributes", {"file_path": "a.hnpx", "node_id": "book", "attributes": {"summary": "n"}})
        tap.same(listens["stays"].event()["method"], "notifications/resources/updated", "so does its subscription")
        tap.same(sessions["stays"][0].event()["method"], "notifications/resources/updated", "and its stream")
        for stream in (listens["narrowed"], sessions["narrowed"][0]):
            heard = threading.Thread(target=stream.drain, daemon=True)
            heard.start()
        for n in range(3):
            server.call("hnpx_edit_node_attributes", {"file_path": "a.hnpx", "node_id": "book", "attributes": {"summary": f"n{n}"}})
            tap.same(listens["stays"].event()["method"], "notifications/resources/updated", f"every change is told, {n}")
        # One notice may come, because the resource is no longer visible.
        tap.ok(len(listens["narrowed"].heard) <= 1 and len(sessions["narrowed"][0].heard) <= 1,
               "a document that is no longer granted is no longer told about", (listens["narrowed"].heard, sessions["narrowed"][0].heard))
        tap.same(server.close(), 0, "the server stops with status 0")

    # A key may also expire while its stream is open. On a busy machine it may be too late to open one. Then the test
    # uses a longer lifetime.
    last = None
    for life in (4, 15, 60):
        soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + life))
        file = keys(folder, ("brief", {"grants": EVERYTHING, "expires": soon}))
        with Http("--keys", file, root=folder.path + "/root") as server:
            try:
                listening, (stream, headers) = listen(server, "brief-secret", uri), session(server, "brief-secret", uri)
            except (KeyError, ValueError, TypeError):
                continue
            last = listening.event()
            is_over = stream.event() is None
            break
    tap.ok(last and "result" in last and is_over, "streams of a key that expires end", last)

with Folder({"root/mine/a.hnpx": BOOK, "root/other/b.hnpx": BOOK}) as folder:
    file = keys(folder, ("author", {"grants": {**EVERYTHING, "kinds": ["hnpx"], "documents": ["mine/**"], "write": ["mine/**"]}}),
                ("looker", {"grants": {**EVERYTHING, "kinds": ["hnpx"], "tools": ["hnpx_get_*", "file_history"]}}),
                ("stranger", {"grants": {**EVERYTHING, "kinds": ["other"]}}), ("all", {"grants": EVERYTHING}))
    with Http("--keys", file, root=folder.path + "/root") as server:
        server.key = "all-secret"
        for path in ("mine/a.hnpx", "other/b.hnpx"):
            server.call("hnpx_edit_node_attributes", {"file_path": path, "node_id": "book", "attributes": {"summary": "changed"}})

        def listed(key):
            server.key = key + "-secret"
            return {t["name"] for t in server.request("tools/list")["result"]["tools"] if t["name"].startswith("file_")}

        tap.same(listed("author"), {"file_list", "file_history", "file_diff", "file_show", "file_undo", "file_restore"}, "a key of one kind is offered the history at /mcp")
        tap.same(listed("looker"), {"file_history"}, "as far as its tools are granted")
        tap.same(listed("stranger"), set(), "a key of no kind served here is not")
        server.key = "author-secret"
        for tool in ("file_history", "file_diff", "file_undo"):
            answer = server.call(tool, {"file_path": "mine/a.hnpx"})
            tap.ok("result" in answer and not answer["result"].get("isError"), f"{tool} works at /mcp on what was granted", answer)
            answer = server.call(tool, {"file_path": "other/b.hnpx"})
            tap.ok(answer.get("result", {}).get("isError"), f"{tool} does not on what was not", answer)
        tap.ok(b"changed" not in folder.read("root/mine/a.hnpx") and b"changed" in folder.read("root/other/b.hnpx"),
               "the one was taken back, the other was not")
        server.key = "stranger-secret"
        answer = server.call("file_history", {"file_path": "mine/a.hnpx"})
        tap.ok(answer.get("result", {}).get("isError"), "and a stranger may not call them", answer)

with Folder({"root/a.hnpx": BOOK}) as folder:
    def ask(server, source, method="hnpx_get_next_empty_container", **params):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(source, 0))
        connection.request("POST", "/mcp", json.dumps({"method": method, "params": {"file_path": "a.hnpx", **params}}),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status

    limits = "[mcp_server.auth]\nrequire_auth = false\n[mcp_server.rate_limit]\nrequests_per_minute = 3\nwrites_per_minute = 1\n"
    with Http(*config(folder, limits), root=folder.path + "/root") as server:
        tap.same([ask(server, "127.0.0.1") for _ in range(4)], [200] * 3 + [429], "an address without a key has its limit")
        tap.same([ask(server, "127.0.0.2") for _ in range(4)], [200] * 3 + [429], "another address has its own")
        tap.same([ask(server, "127.0.0.3", "hnpx_edit_node_attributes", node_id="book", attributes={"summary": f"n{i}"}) for i in range(2)], [200, 429],
                 "for writes too")
        tap.same(ask(server, "127.0.0.1"), 429, "and nobody's requests give another's back")

with Folder({"root/a.hnpx": BOOK}) as folder:
    limits = config(folder, "[mcp_server.rate_limit]\nrequests_per_minute = 3\nwrites_per_minute = 1\n")
    complete = {"ref": {"type": "ref/resource", "uri": "hnpx:///{+path}"}, "argument": {"name": "path", "value": "a"}}
    with Stdio("hnpx", *limits, root=folder.path + "/root") as q:
        codes = [q.request("completion/complete", complete).get("error", {}).get("code") for _ in range(4)]
        tap.same(codes, [None, None, None, 429], "completions on a pipe are limited where a limit is set")
        tap.same(q.request("resources/read", {"uri": "hnpx:///a.hnpx"})["error"]["code"], 429, "and all else that reads documents")
        answer = q.call("get_next_empty_container", {"file_path": "a.hnpx"})
        tap.ok(answer["result"]["isError"] and "try again in" in answer["result"]["content"][0]["text"],
               "a tool answers an error that says when to try again", answer)
        tap.ok("result" in q.request("tools/list") and "result" in q.request("ping"), "what reads nothing is not limited")
    with Http("hnpx", *limits, root=folder.path + "/root") as server:
        headers = {"Mcp-Session-Id": server.raw("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}))[1]["mcp-session-id"]}
        batch = [{"jsonrpc": "2.0", "id": n, "method": "completion/complete", "params": complete} for n in range(4)]
        _, _, answers = server.raw("POST", "/mcp", json.dumps(batch), headers)
        tap.same([a.get("error", {}).get("code") for a in json.loads(answers)], [None, 429, 429, 429],
                 "a batch is no way around the limits: it counts, and so does each part")

tap.done()
