#!/usr/bin/env python3
"""The shipped program confines itself: it cannot leave its folders, start programs or connect, over both transports, and
the tools of all kinds still work, with what their libraries open at first use."""
import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Http, Stdio, Tap  # noqa: E402

tap = Tap()
SHIPPED = os.path.join(TOP, "build/quire")
FIXTURE = os.path.join(TOP, "build/quire-conformance")
if not (os.path.exists(SHIPPED) and os.path.exists(FIXTURE)):
    print("1..0 # SKIP make builds build/quire and build/quire-conformance")
    sys.exit(0)


def status(pid):
    with open(f"/proc/{pid}/status") as file:
        return {line.split(":")[0]: line.split(":")[1].strip() for line in file}


def has_landlock():
    out = subprocess.run([SHIPPED, "doctor", "--json"], capture_output=True, stdin=subprocess.DEVNULL).stdout
    return "Landlock" in str(out) and "no Landlock" not in str(out)


def is_confined(pid, claim):
    now = status(pid)
    tap.ok(now["NoNewPrivs"] == "1" and now["Seccomp"] == "2", f"{claim} is confined", now)


def said(answer):
    result = answer.get("result") or {"isError": True, "content": [{"text": json.dumps(answer)}]}
    return result.get("isError", False), result["content"]


def works(server, kind, tool, many=True, **arguments):
    failed, content = said(server.call(f"{kind}_{tool}" if many else tool, arguments))
    tap.ok(not failed, f"{kind}: {tool} works", str(content)[:400])
    return content


def all_kinds(server, claim, root):
    """Something of each kind that opens files, libraries, fonts and databases late."""
    print(f"# {claim}")
    os.mkdir(root + "/out")
    works(server, "hnpx", "get_node", file_path="lighthouse.hnpx", node_id="book")
    works(server, "hnpx", "export_document", file_path="lighthouse.hnpx", output_path="out/novel.epub", format="epub")
    works(server, "notes", "create_node", title="Plan", content="see [[Other]]")
    works(server, "notes", "search", query="plan")
    works(server, "notes", "move_node", id="plan.md", to="deep/er/plan.md")
    works(server, "docx", "read_file", file_path="contract.docx")
    works(server, "docx", "save", file_path="contract.docx", save_to_local_path="out/copy.docx")
    drawn = works(server, "floorplan", "render_floorplan", many=False, file_path="house.floorplan")
    tap.ok(any(len(base64.b64decode(b.get("data", ""))) > 2000 for b in drawn), "floorplan: the picture has fonts and lines")
    for name in ("plan.pdf", "plan.svg", "plan.png", "plan.dxf", "plan.glb"):
        works(server, "floorplan", "export_floorplan", many=False, file_path="house.floorplan", output_path="out/" + name)
    works(server, "mcp_docjl", "create_document", document={"id": "m", "metadata": {"title": "M"}, "docjll": [
        {"type": "heading", "level": 1, "label": "sec:1", "content": "One", "children": []}]})
    works(server, "mcp_docjl", "list_documents")
    works(server, "file", "undo", many=True, file_path="deep/er/plan.md")


def examples():
    files = {name: open(os.path.join(TOP, "examples", name), "rb").read() for name in os.listdir(os.path.join(TOP, "examples"))
             if os.path.isfile(os.path.join(TOP, "examples", name))}
    return Folder({f"root/{name}": data for name, data in files.items()})


def escapes(server, claim, http):
    failed, content = said(server.call("test_escape", {}))
    went = {line["text"].split(": ")[0]: line["text"].split(": ")[1] for line in content}
    free = {what for what, how in went.items() if how == "went"}
    tap.ok(not failed and len(went) == 7 and not free - (set() if has_landlock() else {"read", "write", "list"}),
           f"{claim}: a document cannot make it leave", went)
    tap.ok(not os.path.exists("/tmp/quire-escaped"), f"{claim}: nothing is written outside")


with examples() as folder:
    env = {"XDG_STATE_HOME": folder.path + "/state"}
    with Stdio("--tools", "all", root=folder.path + "/root", quire=SHIPPED, env=env) as server:
        is_confined(server.process.pid, "a server on a pipe")
        all_kinds(server, "stdio", folder.path + "/root")
    shutil.rmtree(folder.path + "/state")
with examples() as folder:
    env = {"XDG_STATE_HOME": folder.path + "/state"}
    with Http("--tools", "all", root=folder.path + "/root", quire=SHIPPED, env=env) as server:
        is_confined(server.process.pid, "an HTTP server")
        all_kinds(server, "HTTP", folder.path + "/root")
with examples() as folder:
    env = {"XDG_STATE_HOME": folder.path + "/state"}
    with Stdio("floorplan", "--read-only", root=folder.path + "/root", quire=SHIPPED, env=env) as server:
        works(server, "floorplan", "analyze_floorplan", many=False, file_path="house.floorplan")
        tap.ok(not os.path.exists(folder.path + "/state"), "a read-only server makes no state folder")

# The keys are read again, from a file that was replaced by a rename.
with Folder({"root/a.md": "# A\n", "keys/keys.json": json.dumps({"keys": [{"name": "a", "key": "first-secret", "grants": {
        "kinds": ["*"], "tools": ["*"], "documents": ["**"], "write": ["**"]}}]})}) as folder:
    os.chmod(folder.path + "/keys/keys.json", 0o600)
    with Http("notes", "--keys", folder.path + "/keys/keys.json", root=folder.path + "/root", quire=SHIPPED, key="first-secret",
              env={"XDG_STATE_HOME": folder.path + "/state"}) as server:
        works(server, "notes", "get_stats", many=False)
        text = folder.read("keys/keys.json").replace(b"first-secret", b"second-secret")
        folder.write("keys/new.json", text)
        os.chmod(folder.path + "/keys/new.json", 0o600)
        os.rename(folder.path + "/keys/new.json", folder.path + "/keys/keys.json")
        server.process.send_signal(signal.SIGHUP)
        server.key = "second-secret"
        done = False
        for _ in range(100):
            try:
                done = not said(server.call("get_stats", {}))[0]
            except Exception:
                done = False
            if done:
                break
            time.sleep(0.1)
        tap.ok(done, "keys in a replaced file are read again on SIGHUP")

# Commands.
with examples() as folder:
    env = {**os.environ, "XDG_STATE_HOME": folder.path + "/state"}
    done = subprocess.run([SHIPPED, "call", "floorplan", "render_floorplan", "--file_path", "house.floorplan", "--output",
                           folder.path + "/picture.png"], cwd=folder.path + "/root", env=env, capture_output=True)
    tap.ok(done.returncode == 2 or os.path.getsize(folder.path + "/picture.png") > 2000, "quire call writes to --output", done.stderr)
    out = subprocess.run([SHIPPED, "doctor"], cwd=folder.path + "/root", env=env, capture_output=True).stdout.decode()
    tap.ok("confine" in out and "seccomp" in out, "quire doctor says what is in force", out)
    folder.write("off.toml", "[mcp_server]\nconfine = false\n")
    with Stdio("notes", "--config", folder.path + "/off.toml", root=folder.path + "/root", quire=SHIPPED, env=env) as server:
        tap.ok(status(server.process.pid)["Seccomp"] == "0", "confine = false turns it off")
        works(server, "notes", "get_stats", many=False)
        tap.ok(any("confine" in line for line in server.errors), "with a warning", server.errors)

# A tool that tries to leave, in the fixture program.
with Folder({"root/a.md": "# A\n"}) as folder:
    env = {"XDG_STATE_HOME": folder.path + "/state"}
    with Stdio(root=folder.path + "/root", quire=FIXTURE, env=env) as server:
        escapes(server, "stdio", False)
    with Http(root=folder.path + "/root", quire=FIXTURE, env=env) as server:
        escapes(server, "HTTP", True)
tap.done()
