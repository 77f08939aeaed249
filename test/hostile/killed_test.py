#!/usr/bin/env python3
"""kill -9 of the shipped program at any moment, in every kind, with both stores and over both transports: what was acknowledged is
there afterwards, whole, and the next write works. QUIRE_KILLS: how many for each."""
import json
import os
import random
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from postgres import Cluster  # noqa: E402
from quire import QUIRE, TOP, Folder, Http, Stdio, Tap  # noqa: E402

tap = Tap()
KILLS = int(os.environ.get("QUIRE_KILLS", "2"))
SEED = int(os.environ.get("QUIRE_SEED", random.randrange(1 << 30)))
SHIPPED = os.path.join(TOP, "build/quire")
PROGRAM = SHIPPED if os.path.exists(SHIPPED) else QUIRE
WORD = '<w:p w14:paraId="00000001"><w:r><w:t>value 0</w:t></w:r></w:p>'
PLAN = "floorplan\n  floor f1 {{\n    room R{} at (0,0) size (10 x 12) walls [top: solid]\n  }}\n"


class Failed(Exception):
    pass


def call(server, tool, **arguments):
    answer = server.call(tool, arguments)
    result = answer.get("result")
    if not result or result.get("isError"):
        raise Failed(json.dumps(answer)[:400])
    return result["content"][0].get("text", "")


class Kind:
    """begin: once; write: the i-th write; reads: raises, or returns whether the i-th write is there."""
    files, args = {}, ()

    def begin(self, server):
        pass


class Books(Kind):
    name = "hnpx"

    def begin(self, server):
        call(server, "create_document", file_path="a.hnpx")

    def write(self, server, i):
        call(server, "edit_node_attributes", file_path="a.hnpx", node_id="book", attributes={"summary": f"value {i}."})

    def reads(self, server, i):
        text = call(server, "get_node", file_path="a.hnpx", node_id="book")
        return f"value {i}." in text or f"value {i + 1}." in text


class Notes(Kind):
    name = "notes"

    def write(self, server, i):
        call(server, "create_node", title=f"note {i}", content=f"value {i}. see [[note {i - 1}]]")

    def reads(self, server, i):
        return all(f"value {k}." in call(server, "get_node", id=f"note-{k}.md") for k in range(max(1, i - 3), i + 1))


class Word(Kind):
    name = "docx"
    files = {"a.docx": docx.docx(WORD)}

    def write(self, server, i):
        call(server, "smart_edit", file_path="a.docx", target_paragraph_id="00000001", old_string=f"value {i - 1}", new_string=f"value {i}")
        if i % 4 == 0:
            call(server, "save", file_path="a.docx", save_to_local_path="a.docx", save_format="clean", allow_overwrite=True)

    def reads(self, server, i):
        text = call(server, "read_file", file_path="a.docx")
        return f"value {i}" in text or f"value {i + 1}" in text


class Plans(Kind):
    name = "floorplan"

    def write(self, server, i):
        call(server, "create_floorplan", file_path=f"p{i}.floorplan", dsl=PLAN.format(i))

    def reads(self, server, i):
        return all(f"R{k}" in call(server, "read_floorplan", file_path=f"p{k}.floorplan") for k in range(max(1, i - 3), i + 1))


class Manuals(Kind):
    name = "docjl"

    def __init__(self, *args):
        self.args = args

    def write(self, server, i):
        call(server, "mcp_docjl_create_document", document={"id": f"m{i}", "metadata": {"title": f"value {i}"}, "docjll": [
            {"type": "heading", "level": 1, "label": "sec:1", "content": f"value {i}", "children": []}]})

    def reads(self, server, i):
        return all(f"value {k}" in call(server, "mcp_docjl_get_document", document_id=f"m{k}") for k in range(max(1, i - 3), i + 1))


def serve(kind, transport, folder):
    folder.write("quire.toml", "[mcp_server.rate_limit]\nrequests_per_minute = 0\nwrites_per_minute = 0\n")
    return transport(kind.name, "--tools", "all", "--config", folder.path + "/quire.toml", *kind.args, root=folder.path + "/root", quire=PROGRAM,
                     env={"XDG_STATE_HOME": folder.path + "/state"})


def one_kill(kind, transport, dice):
    """Returns (writes acknowledged, what is wrong or None)."""
    with Folder({"root/.keep": "", **{"root/" + name: data for name, data in kind.files.items()}}) as folder:
        server = serve(kind, transport, folder)
        kind.begin(server)
        acknowledged = 0
        threading.Timer(0.02 + dice.random() * 0.2, server.process.kill).start()
        try:
            while True:
                kind.write(server, acknowledged + 1)
                acknowledged += 1
        except Failed as refused:
            server.process.kill()
            server.process.wait(10)
            if "too many" not in str(refused):
                return acknowledged, f"refused: {refused}"
        except Exception:
            server.process.wait(10)
        with serve(kind, transport, folder) as again:
            try:
                if acknowledged and not kind.reads(again, acknowledged):
                    return acknowledged, f"write {acknowledged} is lost"
                if kind.name == "docx":
                    text = call(again, "read_file", file_path="a.docx")
                    acknowledged += f"value {acknowledged + 1}" in text
                else:
                    acknowledged += 1000  # free names
                kind.write(again, acknowledged + 1)
                if kind.name in ("hnpx", "docx") and not kind.reads(again, acknowledged + 1):
                    return acknowledged, "the next write is not there"
            except Failed as refused:
                return acknowledged, f"after the kill: {refused}"
        left = [name for _, _, names in os.walk(folder.path + "/root") for name in names if name.endswith(".quire~")]
        return acknowledged, f"left beside the documents: {left}" if left else None


def run(kind, what, transports):
    dice = random.Random(f"{SEED} {what}")
    for transport in transports:
        wrong, kills, writes = [], 0, 0
        for _ in range(KILLS):
            done, fault = one_kill(kind, transport, dice)
            kills, writes = kills + 1, writes + done % 1000
            wrong += [fault] if fault else []
        print(f"# trials {kills} kills of {what} over {transport.__name__}, {writes} writes acknowledged")
        tap.ok(not wrong, f"{what} over {transport.__name__}: nothing acknowledged is lost", wrong[:3])


for each in (Books(), Notes(), Word(), Plans()):
    run(each, each.name, (Stdio, Http))
run(Manuals(), "docjl in SQLite", (Stdio, Http))
if Cluster.available():
    with Cluster() as cluster:
        class Shared(Manuals):
            """Each trial has ids of its own, because the database stays."""
            round = 0

            def begin(self, server):
                Shared.round += 1

            def write(self, server, i):
                call(server, "mcp_docjl_create_document", document={"id": f"r{self.round}-{i}", "metadata": {"title": "t"}, "docjll": [
                    {"type": "heading", "level": 1, "label": "sec:1", "content": f"value {i}", "children": []}]})

            def reads(self, server, i):
                return all(f"value {k}" in call(server, "mcp_docjl_get_document", document_id=f"r{self.round}-{k}")
                           for k in range(max(1, i - 3), i + 1))
        run(Shared("--store", cluster.url), "docjl on PostgreSQL", (Stdio, Http))
print(f"# QUIRE_SEED={SEED} repeats this run")
tap.done()
