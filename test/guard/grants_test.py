#!/usr/bin/env python3
"""Keys over HTTP: a key may do what it is granted and nothing else. Limits are exact, and errors say when to retry."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Http, QUIRE, Tap  # noqa: E402

FIXTURE = os.path.join(os.path.dirname(QUIRE), "quire-conformance")
BOOK = '<?xml version="1.0" encoding="UTF-8"?>\n<book id="bbbbbb">\n  <summary>x</summary>\n</book>\n'
EVERYTHING = {"kinds": ["*"], "tools": ["*"], "documents": ["**"], "write": ["**"]}
tap = Tap()


def keys(folder, *rows):
    folder.write("keys.json", json.dumps({"keys": [{"name": name, "key": name + "-secret", **more} for name, more in rows]}))
    os.chmod(folder.path + "/keys.json", 0o600)
    return folder.path + "/keys.json"


def texts(answer):
    return "".join(b.get("text", "") for b in answer.get("result", {}).get("content", [])) or json.dumps(answer)


with Folder({"root/mine/a.hnpx": BOOK, "root/public/b.hnpx": BOOK, "root/secret/c.hnpx": BOOK}) as folder:
    root = folder.path + "/root"
    file = keys(folder,
                ("all", {"grants": EVERYTHING}),
                ("none", {}),
                ("reader", {"grants": {**EVERYTHING, "write": []}}),
                ("author", {"grants": {**EVERYTHING, "documents": ["public/**"], "write": ["mine/**"]}}),
                ("looker", {"grants": {**EVERYTHING, "tools": ["get_*", "search"]}}),
                ("stranger", {"grants": {**EVERYTHING, "kinds": ["other"]}}),
                ("late", {"grants": EVERYTHING, "expires": "2020-01-01"}),
                ("hashed", {"key": None, "grants": EVERYTHING,
                            "hash": "sha256:41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"}))
    # More wrong keys than one address may try in a minute (hostile/fair_test.py).
    folder.write("quire.toml", "[mcp_server]\nfailed_keys_per_minute = 1000\n")
    with Http("hnpx", "--keys", file, "--config", folder.path + "/quire.toml", root=root) as server:
        def call(who, tool, path, **more):
            server.key = who + "-secret"
            answer = server.call(tool, {"file_path": path, **more})
            result = answer.get("result", {})
            return ("error" not in answer and not result.get("isError", False)), texts(answer)

        def write(who, path, **more):
            return call(who, "edit_node_attributes", path, node_id="book", attributes={"summary": f"{who} {time.time()}"}, **more)

        def listed(who):
            server.key = who + "-secret"
            return {t["name"] for t in server.request("tools/list").get("result", {}).get("tools", [])}

        # Authorization.
        for claim, header in (("no header", None), ("another scheme", "Basic eDp5"), ("no key", "Bearer"), ("a wrong key", "Bearer x"),
                              ("two keys", "Bearer all-secret, Bearer all-secret"), ("a key with its hash's name", "Bearer hashed"),
                              ("the hash as key", "Bearer sha256:41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"),
                              ("an expired key", "Bearer late-secret")):
            for method, path in (("POST", "/mcp"), ("POST", "/mcp/hnpx"), ("GET", "/mcp"), ("DELETE", "/mcp")):
                server.key = None
                status, headers, body = server.raw(method, path, "{}" if method == "POST" else None, {"Authorization": header})
                tap.ok(status == 401 and headers.get("www-authenticate", "").startswith("Bearer"), f"{claim}: {method} {path} is 401",
                       (status, headers))
        server.key = None
        tap.same([json.loads(server.raw("POST", path, "{}")[2]).get("code") for path in ("/mcp", "/mcp/hnpx")], ["UNAUTHORIZED"] * 2,
                 "where one kind is served alone a 401 is that kind's error object")
        tap.same(server.raw("GET", "/health")[0], 200, "/health needs no key")
        status, headers, body = server.raw("POST", "/mcp?key=all-secret", "{}")
        tap.ok(status in (401, 404), "a key in the address is none", status)

        # Names.
        server.key = "all-secret"
        tap.ok("did you mean edit_node_attributes?" in json.dumps(server.call("edit_node_attribute", {})), "a name that is nearly a tool's gets a suggestion")
        server.key = "looker-secret"
        tap.ok("edit_node_attributes" not in json.dumps(server.call("edit_node_attribute", {})), "never one that the key may not use")
        tap.ok("did you mean get_node?" in json.dumps(server.call("get_nod", {})), "but one that it may")

        # Documents.
        for path in ("mine/a.hnpx", "public/b.hnpx", "secret/c.hnpx"):
            tap.ok(call("all", "get_node", path, node_id="book")[0], f"all may read {path}")
            tap.ok(write("all", path)[0], f"all may write {path}")
            tap.ok(call("reader", "get_node", path, node_id="book")[0], f"reader may read {path}")
            before = folder.read("root/" + path)
            good, text = write("reader", path)
            tap.ok(not good and folder.read("root/" + path) == before, f"reader may not write {path}", text)
            good, text = write("none", path)
            tap.ok(not good and folder.read("root/" + path) == before, f"none may not write {path}", text)
            tap.ok(not call("none", "get_node", path, node_id="book")[0], f"none may not read {path}")
            tap.ok(not call("stranger", "get_node", path, node_id="book")[0], f"stranger's kind is not this one: {path}")
        tap.ok(call("author", "get_node", "public/b.hnpx", node_id="book")[0], "author may read what is public")
        tap.ok(not write("author", "public/b.hnpx")[0], "but not write it")
        tap.ok(write("author", "mine/a.hnpx")[0], "author may write their own")
        tap.ok(call("author", "get_node", "mine/a.hnpx", node_id="book")[0], "and read it")
        good, text = call("author", "get_node", "secret/c.hnpx", node_id="book")
        tap.ok(not good and "<summary>" not in text, "author may not read what is secret", text)
        for path in ("mine/../secret/c.hnpx", "./secret/c.hnpx", "secret//c.hnpx", root + "/secret/c.hnpx", "mine/../../root/secret/c.hnpx"):
            good, text = call("author", "get_node", path, node_id="book")
            tap.ok(not good and "<summary>" not in text, f"nor as {path}", text)
        os.symlink("../secret/c.hnpx", root + "/mine/link.hnpx")
        good, text = call("author", "get_node", "mine/link.hnpx", node_id="book")
        tap.ok(not good, "nor through a link", text)
        good, text = write("author", "mine/link.hnpx")
        tap.ok(not good, "nor write through it", text)
        os.unlink(root + "/mine/link.hnpx")
        for path, allowed in (("mine/new.hnpx", True), ("public/new.hnpx", False), ("secret/new.hnpx", False), ("new.hnpx", False)):
            good, text = call("author", "create_document", path)
            tap.ok(good == allowed and os.path.exists(root + "/" + path) == allowed,
                   f"author may {'' if allowed else 'not '}make {path}", text)
        server.key = "author-secret"
        for tool, arguments in (("file_history", {}), ("file_diff", {}), ("file_undo", {})):
            answer = server.call(tool, {"file_path": "secret/c.hnpx", **arguments})
            tap.ok(answer["result"].get("isError") and ("may not" in texts(answer) or "no such file" in texts(answer)), f"{tool} does not go around the grants", texts(answer))
        answer = server.request("resources/list")
        tap.ok("secret" not in json.dumps(answer), "resources/list names nothing that may not be read", answer)
        answer = server.request("resources/read", {"uri": "hnpx:///secret/c.hnpx"})
        tap.ok("error" in answer and "<summary>" not in json.dumps(answer), "resources/read asks too", answer)
        answer = server.request("resources/read", {"uri": "hnpx:///public/b.hnpx"})
        tap.ok("result" in answer, "and lets through what may be read", answer)

        # Tools and kinds.
        tap.ok("create_chapter" in listed("all"), "tools/list has every tool for all")
        tap.same({n for n in listed("looker") if not n.startswith("get_") and n != "search"}, set(),
                 "tools/list has only what looker may call")
        tap.ok(not write("looker", "mine/a.hnpx")[0], "and calling another is refused")
        tap.ok(call("looker", "get_node", "mine/a.hnpx", node_id="book")[0], "calling one of them is not")
        tap.same(listed("none"), set(), "a key without grants sees no tool")
        server.key = "looker-secret"
        status, _, body = server.raw("POST", "/mcp", json.dumps({"method": "edit_node_attributes", "params": {
            "file_path": "mine/a.hnpx", "node_id": "book", "attributes": {"summary": "x"}}}))
        tap.ok(status in (403, 404) and b"revision" not in body, "the plain form is asked the same", (status, body))

    # Limits.
    file = keys(folder, ("a", {"grants": EVERYTHING, "rate_limit": {"requests_per_minute": 5, "writes_per_minute": 2}}),
                ("b", {"grants": EVERYTHING}))
    with Http("hnpx", "--keys", file, root=root) as server:
        plain = json.dumps({"method": "get_next_empty_container", "params": {"file_path": "mine/a.hnpx"}})
        server.key = "a-secret"
        answers = [server.raw("POST", "/mcp", plain) for _ in range(7)]
        tap.same([s for s, _, _ in answers], [200] * 5 + [429] * 2, "exactly five requests a minute pass")
        wait = int(answers[-1][1].get("retry-after", "0"))
        tap.ok(50 <= wait <= 60, "Retry-After says when the next one will", wait)
        refusal = json.loads(answers[-1][2])
        tap.same((refusal.get("error"), refusal.get("code")), (True, "RATE_LIMITED"),
                 "where one kind is served alone a 429 before the body is that kind's error object")
        server.key = "b-secret"
        tap.same(server.raw("POST", "/mcp", plain)[0], 200, "another key is not held up")
        refusal = json.loads(server.raw("POST", "/mcp", b" " * (3 << 20))[2])
        tap.same((refusal.get("error"), refusal.get("code")), (True, "FILE_TOO_LARGE"), "so is a 413")
    with Http("hnpx", "--keys", file, root=root) as server:
        server.key = "a-secret"
        statuses = []
        for i in range(4):
            statuses.append(server.raw("POST", "/mcp", json.dumps({"method": "edit_node_attributes", "params": {
                "file_path": "mine/a.hnpx", "node_id": "book", "attributes": {"summary": f"n{i}"}}}))[0])
        tap.same(statuses, [200, 200, 429, 429], "exactly two writes a minute pass")
        plain = json.dumps({"method": "get_next_empty_container", "params": {"file_path": "mine/a.hnpx"}})
        tap.same([server.raw("POST", "/mcp", plain)[0] for _ in range(4)], [200, 200, 200, 429],
                 "a write that was refused counts neither as write nor as request")

    with Http("--keys", file, root=root) as server:
        server.key = "a-secret"
        statuses = []
        for i in range(6):
            statuses.append(server.raw("POST", "/mcp", json.dumps({"method": "hnpx_edit_node_attributes", "params": {
                "file_path": "mine/a.hnpx", "node_id": "book", "attributes": {"summary": f"m{i}"}}}))[0])
        tap.same(statuses, [200, 200, 429, 429, 429, 429], "at the address of all kinds two writes pass as well")
        plain = json.dumps({"method": "hnpx_get_next_empty_container", "params": {"file_path": "mine/a.hnpx"}})
        tap.same([server.raw("POST", "/mcp", plain)[0] for _ in range(4)], [200, 200, 200, 429], "and what was refused counts nowhere")

    # The history contains the name of the key.
    with Http("hnpx", "--keys", file, root=root) as server:
        server.key = "b-secret"
        server.call("edit_node_attributes", {"file_path": "mine/a.hnpx", "node_id": "book", "attributes": {"summary": "by b"}})
        answer = server.call("file_history", {"file_path": "mine/a.hnpx"})
        tap.ok('"b"' in texts(answer) and "b-secret" not in json.dumps(answer), "the history names the key, never its secret",
               texts(answer)[:500])

tap.done()
