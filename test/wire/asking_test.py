#!/usr/bin/env python3
"""Questions to the client: the state that travels through it is signed, expires, and works on another server with
the same key."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, TOP, Folder, Stdio, Tap  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(TOP, "build/asan/quire-conformance"))
CAN = {"_meta": {META + "clientCapabilities": {"elicitation": {}}}}
NAME = "test_input_required_result_elicitation"
STATE = "test_input_required_result_request_state"
INVALID = -32602
tap = Tap()


def start(folder, now, key="a secret of more than thirty-two characters"):
    folder.write("quire.toml", f'[mcp_server]\nstate_key = "{key}"\n')
    return Stdio("--config", os.path.join(folder.path, "quire.toml"), root=folder.path, quire=FIXTURE, initialize=None,
                 env={"QUIRE_NOW": now})


def ask(q, tool, state=None, **answers):
    params = {"name": tool, "arguments": {}, **CAN}
    if state is not None:
        params["requestState"] = state
    if answers:
        params["inputResponses"] = answers
    return q.request("tools/call", params, modern=True)


def accept(**content):
    return {"action": "accept", "content": content}


with Folder() as folder:
    with start(folder, "2026-11-15T12:00:00Z") as q:
        asked = ask(q, NAME)["result"]
        tap.same((asked["resultType"], list(asked["inputRequests"])), ("input_required", ["user_name"]), "a modern client is asked")
        kept = ask(q, STATE)["result"]["requestState"]
        state = asked["requestState"]
    with start(folder, "2026-11-15T12:09:00Z") as q:
        answer = ask(q, NAME, state, user_name=accept(name="Ada"))
        tap.same(answer["result"]["content"][0]["text"], "Hello, Ada!", "another server of the same secret takes the answer")
        answer = ask(q, STATE, kept, confirm=accept(ok=True))
        tap.same(answer["result"]["content"][0]["text"], "state-ok", "and what the tool kept")
        tap.same(ask(q, NAME, kept, user_name=accept(name="Ada"))["error"]["code"], INVALID, "a state is good for its own tool only")
        for claim, bad in (("cut off", state[:-1]), ("with a letter changed", ("a" if state[0] != "a" else "b") + state[1:]),
                           ("without its signature", state.split(".")[0]), ("of nothing", ""), ("of a dot", "."),
                           ("that is a number", 7), ("that is an object", {})):
            tap.same(ask(q, NAME, bad, user_name=accept(name="Ada")).get("error", {}).get("code"), INVALID, f"a state {claim} is refused")
        tap.same(ask(q, NAME, None, user_name=accept(name="Ada"))["result"]["content"][0]["text"], "Hello, Ada!",
                 "an answer that comes with the question unasked is taken where nothing hangs on it")
    with start(folder, "2026-11-15T12:11:00Z") as q:
        late = ask(q, NAME, state, user_name=accept(name="Ada"))
        tap.ok(late["error"]["code"] == INVALID and "too old" in late["error"]["message"], "after ten minutes a state is too old", late)
    with start(folder, "2026-11-15T12:01:00Z", key="another secret of more than thirty-two characters") as q:
        tap.same(ask(q, NAME, state, user_name=accept(name="Ada"))["error"]["code"], INVALID, "a server of another secret does not take it")
    # After an invalid form the question is asked again, but only a few times.
    with start(folder, "2026-11-15T12:00:00Z") as q:
        rounds, answer = 0, ask(q, NAME)
        while "result" in answer and answer["result"]["resultType"] == "input_required" and rounds < 50:
            rounds += 1
            answer = ask(q, NAME, answer["result"]["requestState"], user_name=accept(name=7))
        tap.ok(1 < rounds < 50 and answer.get("error", {}).get("code") == INVALID and "did not finish" in answer["error"]["message"],
               "a modern client that never answers well is not asked for ever", (rounds, answer))
    with Stdio(root=folder.path, quire=FIXTURE, capabilities={"elicitation": {}}) as q:
        q.send({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": {"name": NAME, "arguments": {}}})
        rounds, asked = 0, q.receive()
        while asked.get("method") == "elicitation/create" and rounds < 50:
            rounds += 1
            q.send({"jsonrpc": "2.0", "id": asked["id"], "result": accept(name=7)})
            asked = q.receive()
        tap.ok(1 < rounds < 50 and asked.get("id") == "call" and "did not finish" in asked["error"]["message"],
               "nor is a legacy one", (rounds, asked))
        # Two calls wait at the same time; each gets its own answer.
        for name in ("first", "second"):
            q.send({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": {"name": NAME, "arguments": {}}})
        questions = [q.receive()["id"], q.receive()["id"]]
        q.send({"jsonrpc": "2.0", "id": "nobody", "result": accept(name="Nobody")})
        q.send({"jsonrpc": "2.0", "id": questions[1], "result": accept(name="Two")})
        second = q.receive()
        tap.same((second["id"], second["result"]["content"][0]["text"]), ("second", "Hello, Two!"), "an answer reaches the call that asked")
        q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "nothing of ours"}})
        q.send({"jsonrpc": "2.0", "id": questions[0], "result": accept(name="One")})
        first = q.receive()
        tap.same((first["id"], first["result"]["content"][0]["text"]), ("first", "Hello, One!"), "and the other waits for its own")
tap.done()
