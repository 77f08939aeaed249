#!/usr/bin/env python3
"""Search as a client sees it: the built-in model, an embedding service, none; vectors that fill while calls go on."""
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Http, QUIRE, STATE, Stdio, Tap, wait_for  # noqa: E402

NOTES = {"car.md": "# Car maintenance\n\nChange the oil and check the brakes.",
         "baby.md": "# Baby naps\n\nWhen he goes to bed and wakes up.",
         "health/doctor.md": "---\ntags: [health]\n---\nDoctor visits. Dates and what she told me."}
WORDS = ["car", "baby", "doctor"]
tap = Tap()


class Service(BaseHTTPRequestHandler):
    """Vectors with one number for each of a few words."""
    seen, broken, hangs = [], False, threading.Event()

    def do_POST(self):  # noqa: N802
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Service.seen.append((self.path, self.headers.get("Authorization"), body))
        if Service.hangs.is_set():
            wait_for(lambda: not Service.hangs.is_set())
        if any("poison" in t for t in body["input"]):
            return self.answer(400, {"error": {"message": "this text is refused"}})
        data = [{"index": i, "embedding": [0.1] + [float(w in t.lower()) for w in WORDS]} for i, t in enumerate(body["input"])]
        if Service.broken:
            return self.answer(500, {"error": {"message": "out of memory"}})
        return self.answer(200, {"data": data[::-1]})

    def answer(self, status, reply):
        reply = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        try:
            self.wfile.write(reply)
        except OSError:
            pass  # the client disconnected

    def log_message(self, *_):
        pass


def found(answer):
    return [n["id"] for n in json.loads(answer["result"]["content"][0]["text"])]


def error(answer):
    result = answer["result"]
    return json.loads(result["content"][0]["text"])["error"] if result.get("isError") else None


def names(server):
    return [t["name"] for t in server.request("tools/list")["result"]["tools"]]


def settled(server, **arguments):
    """Repeats the query until there is no warning about missing vectors."""
    last = {}

    def asks():
        last["answer"] = server.call("search", {"query": "x", **arguments})
        return "semantic index" not in json.dumps(last["answer"])
    return wait_for(asks)


service = ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=service.serve_forever, daemon=True).start()
URL = f"http://127.0.0.1:{service.server_port}/v1"

with Folder(NOTES) as folder:
    # --- none -------------------------------------------------------------------------------------------------------
    with Stdio("notes", "--embed", "none", root=folder.path) as server:
        listed = names(server)
        tap.ok("get_node" in listed and "search" not in listed, "--embed none hides search and nothing else")
        answer = server.call("search", {"query": "car"})
        tap.ok("error" in answer and answer["error"]["code"] == -32602, "a hidden tool is unknown", answer)

    # --- a service --------------------------------------------------------------------------------------------------
    with Stdio("notes", "--embed", URL, "--embed-model", "toy", "--query-prefix", "query: ", root=folder.path,
               env={"QUIRE_EMBED_KEY": "secret"}) as server:
        tap.ok("search" in names(server), "search is listed with a service")
        tap.ok(not Service.seen, "nothing is sent before the first search")
        tap.ok(settled(server), "the vectors of all notes come from the service")
        tap.same(found(server.call("search", {"query": "BABY", "mode": "semantic"}))[0], "baby.md", "its vectors rank the notes")
        path, key, body = Service.seen[-1]
        tap.same((path, key, body["model"], body["input"]), ("/v1/embeddings", "Bearer secret", "toy", ["query: BABY"]),
                 "path, key, model and prefix are as they were set")
        tap.same(found(server.call("search", {"query": "doctor", "mode": "semantic", "tags": ["health"]})), ["health/doctor.md"],
                 "filters hold for search by meaning")
        Service.broken = True
        refusal = error(server.call("search", {"query": "car"}))
        tap.ok(refusal and refusal["code"] == "PROVIDER_ERROR" and "out of memory" in refusal["message"],
               "a service that fails is a PROVIDER_ERROR with its words", refusal)
        tap.same(found(server.call("search", {"query": "car", "mode": "text"})), ["car.md"],
                 "search by words, which the refusal recommends, works meanwhile")
        Service.broken = False
        tap.same(found(server.call("search", {"query": "car"}))[0], "car.md", "and it works again when the service does")
    sent = sum(len(body["input"]) for _, _, body in Service.seen)
    with Stdio("notes", "--embed", URL, "--embed-model", "toy", root=folder.path) as server:
        tap.ok(settled(server, mode="semantic"), "after a restart all vectors are there")
        again = [t for _, _, body in Service.seen for t in body["input"]][sent:]
        tap.ok(all(t == "x" for t in again), "because they were kept: only the query was sent", again)
    kept = [n for n in os.listdir(STATE) if n.startswith("vectors-")]
    tap.ok(len(kept) == 1 and not [n for n in os.listdir(folder.path) if n not in ("car.md", "baby.md", "health")],
           "they are kept in the state folder, not in the vault", kept)
    os.unlink(os.path.join(STATE, kept[0]))
    with Http("notes", "--embed", URL, "--embed-model", "toy", root=folder.path) as server:
        tap.ok(settled(server), "a deleted cache is made again")

    # --- quire notes index ------------------------------------------------------------------------------------------
    def index(*args):
        done = subprocess.run([QUIRE, "notes", "index", "--root", folder.path, *args], capture_output=True, timeout=60)
        return done.returncode, (done.stdout + done.stderr).decode()

    status, words = index("--embed", URL, "--embed-model", "other")
    tap.ok(status == 0 and "3 notes are ready" in words, "quire notes index computes all vectors", words)
    done = subprocess.run([QUIRE, "call", "--root", folder.path, "--embed", URL, "--embed-model", "other", "notes", "search",
                           "--query", "baby"], capture_output=True, timeout=60)
    tap.ok(b"baby.md" in done.stdout and b"semantic index" not in done.stderr, "and a call from the shell finds them", done.stderr)
    status, words = index("--embed", "none")
    tap.ok(status == 1 and "--embed none" in words, "with search switched off it says so", words)
    Service.broken = True
    status, words = index("--embed", URL, "--embed-model", "third")
    tap.ok(status == 1 and "out of memory" in words, "when the service fails it says why and ends", words)
    Service.broken = False

    # --- bad settings -----------------------------------------------------------------------------------------------
    for bad, words in (("ftp://host/v1", "http://"), ("http://me:pw@host/v1", "user name"), ("localhost:1", "http://")):
        with Stdio("notes", "--embed", bad, root=folder.path) as server:
            refusal = error(server.call("search", {"query": "car"}))
            tap.ok(refusal and refusal["code"] == "INVALID_PARAMS" and words in refusal["message"] and "pw" not in refusal["message"],
                   f"--embed {bad} is refused in words", refusal)
    done = subprocess.run([QUIRE, "serve", "hnpx", "--embed", "none", "--root", folder.path], capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    tap.ok(done.returncode == 2 and b"--embed is not supported" in done.stderr, "an option of a kind that is not served is refused",
           done.stderr)

    # --- the built-in model -----------------------------------------------------------------------------------------
    with Stdio("notes", root=folder.path) as server:
        if "search" not in names(server):
            tap.skip("the built-in model", "this build has no sentence model")
        else:
            first = server.call("search", {"query": "oil"})
            tap.same(found(first)[0], "car.md", "the first search answers by words while vectors are computed")
            tap.ok(settled(server), "the vectors come by themselves")
            tap.same(found(server.call("search", {"query": "automobile repair"}))[0], "car.md", "a synonym finds its note")
            folder.write("garden.md", "# Planting roses\n\nDig a hole, add compost.")
            tap.ok(settled(server), "a note that another program wrote gets its vector")
            tap.same(found(server.call("search", {"query": "growing flowers"}))[0], "garden.md", "and is found by its meaning")
            refusal = error(server.call("search", {"query": " "}))
            tap.ok(refusal and refusal["code"] == "INVALID_PARAMS", "an empty query is refused", refusal)
            tap.same(server.call("search", {"query": "zzzqqq", "mode": "text"})["result"]["content"][0]["text"], "[]",
                     "no hit is an empty list")
            scores = [n["score"] for n in json.loads(server.call("search", {"query": "car"})["result"]["content"][0]["text"])]
            tap.ok(all(0 <= s <= 1 for s in scores) and scores == sorted(scores, reverse=True), "scores fall from 1 to 0", scores)
            high = server.call("search", {"query": "car", "threshold": scores[0]})
            tap.same(len(found(high)), 1, "threshold leaves out what scores less")
# --- a service that refuses one note, and one that does not answer ------------------------------------------------------------
with Folder({"poison.md": "poison", **{f"n{i}.md": f"car {i}" for i in range(40)}}) as folder:
    with Stdio("notes", "--embed", URL, root=folder.path) as server:
        last = {}

        def waits_for_one():
            last["answer"] = json.dumps(server.call("search", {"query": "car"}))
            return "semantic index 40 of 41 notes" in last["answer"]
        tap.ok(wait_for(waits_for_one), "a note that the service refuses does not keep the others from their vectors", last)
        tap.ok(wait_for(lambda: waits_for_one() and "because the embedding service" in last["answer"] and "this text is refused" in last["answer"]),
               "and why it has none is told", last)
    folder.write("quire.toml", "[mcp_server]\ncall_seconds = 2\n")
    Service.hangs.set()
    with Stdio("notes", "--embed", URL, "--config", folder.path + "/quire.toml", root=folder.path) as server:
        answer = error(server.call("search", {"query": "car"}))
        tap.ok(answer and "did not answer within 1." in answer["message"] and "mode text" in answer["message"],
               "a service that does not answer is named", answer)
        tap.ok(len(found(server.call("search", {"query": "car", "mode": "text"}))) == 10, "and search by words works at once")
    Service.hangs.clear()
service.shutdown()
tap.done()
