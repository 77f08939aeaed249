#!/usr/bin/env python3
"""The pipe: both eras in one process, strict JSON-RPC, order, cancellation, questions, a clean end."""
import json
import os
import queue
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, TOP, Folder, Stdio, Tap, wait_for  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(TOP, "build/asan/quire-conformance"))
tap = Tap()


def fixture(**more):
    return Stdio("--root", folder.path, quire=FIXTURE, **more)


def modern(extra=None, capabilities=None):
    return {"_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": capabilities or {}, **(extra or {})}}


def handshake():
    with fixture(initialize=None) as q:
        tap.same(q.request("ping")["result"], {}, "ping is answered before the handshake")
        tap.same(q.request("tools/list")["error"]["code"], -32600, "all else is refused before the handshake")
    for asked, given in (("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
                         ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25")):
        with fixture(initialize=asked) as q:
            tap.same(q.hello["result"]["protocolVersion"], given, f"a client that asks for {asked} gets {given}")
            tap.ok("resultType" not in q.hello["result"], f"legacy results carry no resultType ({asked})")
            tools = q.request("tools/list")["result"]["tools"]
            tap.same("title" in tools[0], given >= "2025-06-18", f"titles come with 2025-06-18 ({asked})")
            tap.same("annotations" in tools[0], given >= "2025-03-26", f"annotations come with 2025-03-26 ({asked})")
            audio = q.call("test_audio_content")["result"]["content"][0]["type"]
            tap.same(audio, "audio" if given >= "2025-03-26" else "text", f"audio comes with 2025-03-26 ({asked})")
    with fixture(initialize=None) as q:
        for params, why in (({}, "nothing"), ({"protocolVersion": "2025-11-25", "capabilities": {}}, "no client"),
                            ({"protocolVersion": 7, "clientInfo": {"name": "x", "version": "1"}}, "a number")):
            tap.same(q.request("initialize", params)["error"]["code"], -32602, f"initialize with {why} is refused")
    with fixture() as q:
        tap.same(q.request("server/discover", modern=True)["result"]["supportedVersions"], [MODERN],
                 "after a legacy handshake a modern request is served too")
        tap.same(q.request("tools/list", modern=True)["result"]["resultType"], "complete", "a modern result says complete")
        again = q.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                         "clientInfo": {"name": "x", "version": "1"}})
        tap.same(again["result"]["protocolVersion"], "2025-06-18", "a second initialize negotiates anew")


def modern_rules():
    with fixture(initialize=None) as q:
        found = q.request("server/discover", modern=True)["result"]
        tap.ok(found["ttlMs"] > 0 and found["cacheScope"] == "public", "discover may be kept")
        tap.same(found["_meta"][META + "serverInfo"]["name"], "quire", "every modern result names the server")
        error = q.request("tools/list", {"_meta": {META + "protocolVersion": "v999", META + "clientCapabilities": {}}})["error"]
        tap.same((error["code"], error["data"]), (-32022, {"supported": [MODERN], "requested": "v999"}),
                 "an unknown version is told what there is")
        error = q.request("tools/list", {"_meta": {META + "protocolVersion": "2025-11-25", META + "clientCapabilities": {}}})
        tap.same(error["error"]["code"], -32022, "a legacy version cannot be claimed")
        for meta in ({META + "protocolVersion": MODERN}, {META + "protocolVersion": 5, META + "clientCapabilities": {}},
                     {META + "protocolVersion": MODERN, META + "clientCapabilities": []}):
            tap.same(q.request("tools/list", {"_meta": meta})["error"]["code"], -32602, f"a broken claim is refused: {meta}")
        for removed in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "no/such"):
            tap.same(q.request(removed, {}, modern=True)["error"]["code"], -32601, f"{removed} does not exist in {MODERN}")
        error = q.request("resources/read", {"uri": "test://nothing"}, modern=True)["error"]
        tap.same((error["code"], error["data"]["uri"]), (-32602, "test://nothing"), "a missing resource is -32602 here")
        caps = q.request("tools/call", {"name": "test_missing_capability", **modern()})["error"]
        tap.same((caps["code"], caps["data"]), (-32021, {"requiredCapabilities": {"sampling": {}}}),
                 "a missing capability is named as an object")


def json_rpc():
    with fixture() as q:
        for raw, code, claim in (
                (b"{", -32700, "half a message"), (b"[]", -32600, "an empty batch"), (b"[1]", -32600, "a batch of nothing"),
                (b"17", -32600, "a number"), (b'{"jsonrpc":"2.0","id":1}', -32600, "neither request nor response"),
                (b'{"id":1,"method":"ping"}', -32600, "no jsonrpc"), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, "old"),
                (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, "a fraction as id"),
                (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, "a boolean as id"),
                (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "null as id"),
                (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, "an object as id"),
                (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600, "a number as method"),
                (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700, "a key twice"),
                (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602, "an array as params"),
                (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}', -32700, "bad UTF-8"),
                (b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b'{"a":' * 80 + b'1' + b'}' * 80 + b'}', -32700, "80 deep"),
                (b'{"jsonrpc":"2.0","id":1,"method":"' + b'x' * 100000 + b'"}', -32601, "a method of 100,000 letters")):
            q.send(raw)
            answer = q.receive()
            tap.same(answer["error"]["code"], code, f"{claim} is refused")
            if code == -32700:
                has_id = claim in ("bad UTF-8", "80 deep")
                tap.ok(answer.get("id") == (1 if has_id else None), f"{claim}: {'its' if has_id else 'no'} id in the answer", answer)
        for raw_id in ("0", "-7", '""', '"1"', "9007199254740993", "123456789012345678901234567890", '"\\u00e9"'):
            q.send(b'{"jsonrpc":"2.0","id":' + raw_id.encode() + b',"method":"ping"}')
            line = q.lines.get(timeout=60).decode()
            tap.ok(f'"id":{raw_id}' in line, f"the id {raw_id} comes back as it was", line)
        q.send(b"\r\n\n  \r\n" + b'{"jsonrpc":"2.0","id":5,"method":"ping"}\r')
        tap.same(q.receive()["id"], 5, "blank lines and CRLF are tolerated")
        for silent in ({"method": "notifications/initialized"}, {"method": "no/such"}, {"method": "tools/call", "params": {}},
                       {"method": "notifications/cancelled", "params": {"requestId": 99}},
                       {"method": "notifications/cancelled"}, {"id": "q99", "result": {}}):
            q.send({"jsonrpc": "2.0", **silent})
        tap.same(q.request("ping"), {"jsonrpc": "2.0", "id": q.id, "result": {}}, "notifications are never answered")
        q.send(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"a" * (17 << 20) + b'"}}')
        tap.same(q.receive()["error"]["code"], -32600, "a line over 16 MiB is refused")
        q.send(b'{"jsonrpc":"2.0","method":"ping","params":{"x":"' + b"y" * (17 << 20) + b'"},"id":"late"}')
        tap.same(q.receive().get("id"), "late", "with its id, also where that stands last")
        for claim, params in (("a lone surrogate", b'"\\ud800"'), ("a key twice", b'{"a":1,"a":2}'), ("too deep", b"[" * 600 + b"]" * 600),
                              ("no JSON", b"nonsense")):
            q.send(b'{"jsonrpc":"2.0","method":"ping","params":{"x":' + params + b'},"id":17}')
            got = q.receive()
            tap.same((got.get("id"), got.get("error", {}).get("code")), (17, -32700), f"a message with {claim} is refused with its id")
        tap.same(q.request("ping")["result"], {}, "and the next one is served")
        tap.same(q.request("tools/call", {"name": "no_such_tool"})["error"]["code"], -32602, "an unknown tool is -32602")
        tap.same(q.request("tools/call", {})["error"]["code"], -32602, "a call without a name is -32602")
        tap.same(q.request("tools/call", {"name": "test_simple_text", "arguments": []})["error"]["code"], -32602,
                 "arguments must be an object")
        tap.ok(q.call("test_simple_text", {"nothing": 1})["result"]["isError"], "an unknown argument is the tool's error")
        tap.same(q.request("tools/list", {"cursor": "nonsense"})["error"]["code"], -32602, "a strange cursor is -32602")
        tap.same(q.request("tools/list", {"cursor": ""})["error"]["code"], -32602, "an empty cursor is -32602")
        tap.same(q.request("logging/setLevel", {"level": "loud"})["error"]["code"], -32602, "an unknown log level is -32602")


def batches():
    with fixture(initialize="2025-03-26") as q:
        q.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/x"},
                {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "test_simple_text"}}, 5])
        answer = q.receive()
        tap.same([a.get("id") for a in answer], [1, "b", None], "a batch is answered as one array, in order")
        q.send([{"jsonrpc": "2.0", "method": "notifications/x"}])
        tap.same(q.request("ping")["result"], {}, "a batch of notifications is not answered")
        q.send([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}])
        tap.same(q.receive()["error"]["code"], -32600, "initialize must not be in a batch")
        q.send([{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": modern()}])
        tap.same(q.receive()["error"]["code"], -32600, "a modern request must not be in a batch")
    with fixture(initialize="2025-03-26", capabilities={"sampling": {}, "elicitation": {}}) as q:
        q.send([{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_sampling", "arguments": {"prompt": "x"}}},
                {"jsonrpc": "2.0", "id": 2, "method": "ping"}])
        answer = q.receive()
        tap.same([(a["id"], "error" in a) for a in answer], [(1, True), (2, False)], "a call in a batch asks nobody, the rest goes on")
        tap.same(q.call("test_streaming_elicitation")["result"]["content"][0]["text"], "Hello, whoever you are!",
                 "a version that does not know elicitation is not asked, whatever the client says")
    with fixture(initialize="2025-11-25") as q:
        q.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
        tap.same(q.receive()["error"]["code"], -32600, "other versions have no batches")


def progress_and_cancel():
    with fixture() as q:
        q.request("tools/call", {"name": "test_tool_with_progress", "_meta": {"progressToken": "p"}})
        tap.same([n["params"]["progress"] for n in q.notices], [0, 50, 100], "progress comes before the answer, with its token")
        q.notices.clear()
        q.call("test_tool_with_progress")
        tap.same(q.notices, [], "without a token there is no progress")
        q.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "test_slow"}})
        q.send({"jsonrpc": "2.0", "id": "next", "method": "tools/call", "params": {"name": "test_simple_text"}})
        q.send({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
        tap.same(q.receive()["id"], "ping", "the reader answers while a call runs")
        wait_for(lambda: "test_slow begins" in "".join(q.errors))
        q.send({"jsonrpc": "2.0", "id": "queued", "method": "tools/call", "params": {"name": "test_slow"}})
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "queued"}})
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})
        tap.same(q.receive()["id"], "next", "a cancelled call is not answered, the next one is")
        tap.ok(wait_for(lambda: "test_slow ends" in "".join(q.errors)) and "test_slow ends: cancelled" in "".join(q.errors),
               "it was stopped by it", q.errors)
        tap.same((q.call("test_simple_text")["result"].get("isError"), "".join(q.errors).count("test_slow begins"), q.notices),
                 (None, 1, []), "a call that is cancelled before its turn is neither begun nor answered")
        for n in range(50):
            q.send({"jsonrpc": "2.0", "id": f"c{n}", "method": "tools/call", "params": {"name": "test_simple_text"}})
        tap.same([q.receive()["id"] for _ in range(50)], [f"c{n}" for n in range(50)], "calls are answered in their order")


def questions():
    with fixture(capabilities={"elicitation": {}, "sampling": {}, "roots": {}}) as q:
        q.send({"jsonrpc": "2.0", "id": "ask", "method": "tools/call",
                "params": {"name": "test_input_required_result_elicitation", "arguments": {}}})
        asked = q.receive()
        tap.same((asked["method"], "mode" in asked["params"]), ("elicitation/create", False), "a legacy client is asked by a request")
        q.send({"jsonrpc": "2.0", "id": "other", "method": "tools/call", "params": {"name": "test_simple_text"}})
        tap.same(q.receive()["id"], "other", "a call that waits for a person holds up nobody")
        q.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"name": "Ada"}}})
        tap.same(q.receive()["result"]["content"][0]["text"], "Hello, Ada!", "the answer reaches the handler")
        q.send({"jsonrpc": "2.0", "id": "no", "method": "tools/call", "params": {"name": "test_streaming_elicitation"}})
        asked = q.receive()
        q.send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "no"}})
        tap.same(q.receive()["result"]["content"][0]["text"], "No name was given.", "an error counts as a no")
        q.send({"jsonrpc": "2.0", "id": "many", "method": "tools/call",
                "params": {"name": "test_input_required_result_multiple_inputs"}})
        seen = {}
        for _ in range(3):
            asked = q.receive()
            seen[asked["method"]] = asked["id"]
        tap.same(sorted(seen), ["elicitation/create", "roots/list", "sampling/createMessage"], "three questions at once")
        q.send({"jsonrpc": "2.0", "id": seen["roots/list"], "result": {"roots": []}})
        q.send({"jsonrpc": "2.0", "id": seen["sampling/createMessage"],
                "result": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "hi"}}})
        q.send({"jsonrpc": "2.0", "id": seen["elicitation/create"], "result": {"action": "accept", "content": {"name": "x"}}})
        tap.same(q.receive()["id"], "many", "the call goes on when all are answered")
        q.send({"jsonrpc": "2.0", "id": "gone", "method": "tools/call", "params": {"name": "test_streaming_elicitation"}})
        q.receive()
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "gone"}})
        tap.same(q.receive()["method"], "notifications/cancelled", "a cancelled call takes its question back")
        tap.same(q.request("ping")["result"], {}, "and is not answered")
    with fixture() as q:
        tap.same(q.call("test_streaming_elicitation")["result"]["content"][0]["text"], "Hello, whoever you are!",
                 "a client that cannot be asked is not")
    with fixture(capabilities={"elicitation": {}}) as q:
        q.send({"jsonrpc": "2.0", "id": "open", "method": "tools/call", "params": {"name": "test_streaming_elicitation"}})
        q.receive()
        q.process.stdin.close()
        tap.same(q.process.wait(timeout=60), 0, "the end of input ends a parked call, and the program")


def modern_questions():
    with fixture(initialize=None) as q:
        can = {"elicitation": {}}
        name = {"name": "test_input_required_result_request_state", "arguments": {}}
        first = q.request("tools/call", {**name, **modern(capabilities=can)})["result"]
        tap.same((first["resultType"], list(first["inputRequests"])), ("input_required", ["confirm"]), "a modern client gets a result")
        state = first["requestState"]
        answers = {"confirm": {"action": "accept", "content": {"ok": True}}}
        done = q.request("tools/call", {**name, "inputResponses": answers, "requestState": state, **modern(capabilities=can)})
        tap.same(done["result"]["content"][0]["text"], "state-ok", "the state comes back to the handler")
        for wrong, claim in ((state + "x", "longer"), (state[:-2], "shorter"), ("v1.e30.AAAA", "made up"), ("", "empty"), (5, "a number"),
                             (state.replace("v1.", "v1.A", 1), "changed")):
            e = q.request("tools/call", {**name, "inputResponses": answers, "requestState": wrong, **modern(capabilities=can)})
            tap.same(e.get("error", {}).get("code"), -32602, f"a state that is {claim} is refused")
        e = q.request("tools/call", {"name": "test_input_required_result_tampered_state", "arguments": {}, "inputResponses": answers,
                                     "requestState": state, **modern(capabilities=can)})
        tap.same(e["error"]["code"], -32602, "a state is good for its own tool only")
        for junk in (None, 5, [], {"confirm": None}, {"confirm": 5}, {"confirm": {"action": "accept"}}, {"other": {"action": "accept"}}):
            r = q.request("tools/call", {**name, "inputResponses": junk, "requestState": state, **modern(capabilities=can)})
            tap.same(r["result"]["resultType"], "input_required", f"answers like {junk} are asked again")
        r = q.request("tools/call", {**name, **modern()})["result"]
        tap.ok(r["resultType"] == "complete", "without the capability nobody is asked", r)


def subscriptions():
    with fixture() as q:
        tap.same(q.request("resources/subscribe", {"uri": "test://watched-resource"})["result"], {}, "subscribe")
        tap.same(q.request("resources/unsubscribe", {"uri": "test://watched-resource"})["result"], {}, "unsubscribe")
        tap.same(q.request("resources/subscribe", {"uri": "no://such"})["error"]["code"], -32002, "what is not there is refused")
        q.send({"jsonrpc": "2.0", "id": 7000000000, "method": "subscriptions/listen",
                "params": {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["test://watched-resource", "no://x"]},
                           **modern()}})
        ack = q.receive()
        tap.same(ack["params"], {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["test://watched-resource"]},
                                 "_meta": {META + "subscriptionId": 7000000000}}, "a listener hears first what is honoured")
        q.send({"jsonrpc": "2.0", "id": "t", "method": "tools/call", "params": {"name": "test_trigger_tool_change"}})
        got = [q.receive() for _ in range(3)]
        tap.same(got[0].get("id"), "t", "the call's own response comes before the news of it")
        tagged = [m for m in got if m.get("params", {}).get("_meta")]
        tap.same(sum(m.get("method") == "notifications/tools/list_changed" for m in got), 2,
                 "the session and the listener are told that the tools changed")
        tap.same(tagged[0]["params"]["_meta"][META + "subscriptionId"], 7000000000, "the listener's notice is tagged with its id")
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7000000000}})
        tap.same(q.request("ping")["result"], {}, "a cancelled listener is not answered")
        tap.same(q.request("subscriptions/listen", {}, modern=True)["error"]["code"], -32602, "listen without a filter is refused")
        ended = q.request("subscriptions/listen", {"notifications": {}}, modern=True)
        tap.same(ended["result"]["resultType"], "complete", "listening to nothing ends at once")
        q.send({"jsonrpc": "2.0", "id": "L", "method": "subscriptions/listen",
                "params": {"notifications": {"promptsListChanged": True}, **modern()}})
        q.receive()
        q.process.stdin.close()
        last = q.receive()
        tap.same((last["id"], last["result"]["resultType"]), ("L", "complete"), "at the end a listener gets its result")
        tap.same(q.process.wait(timeout=60), 0, "and the program ends well")


def endings():
    for sig in (signal.SIGTERM, signal.SIGINT):
        q = fixture()
        q.process.send_signal(sig)
        tap.same(q.process.wait(timeout=60), 0, f"{sig.name} ends the program cleanly")
    q = fixture()
    q.send({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": {"name": "test_tool_with_progress"}})
    q.process.stdin.close()
    tap.same(q.receive()["id"], "last", "what runs when input ends is finished and answered")
    tap.same(q.process.wait(timeout=60), 0, "then the program ends")
    gone = subprocess.Popen([FIXTURE, "serve", "--root", folder.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    gone.stdout.close()
    gone.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    gone.stdin.flush()
    tap.ok(gone.wait(timeout=60) is not None, "a client that is gone ends the program")


with Folder() as folder:
    for part in (handshake, modern_rules, json_rpc, batches, progress_and_cancel, questions, modern_questions, subscriptions, endings):
        try:
            part()
        except (EOFError, queue.Empty, KeyError, AssertionError, BrokenPipeError) as e:
            tap.ok(False, f"{part.__name__} came to its end", f"{type(e).__name__}: {e}")
tap.done()
