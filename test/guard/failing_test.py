#!/usr/bin/env python3
"""Failures of the guard are reported, and nobody gets access by them: a log on a full disk, a file without keys, an
address that is in use."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import PATIENCE, QUIRE, Folder, Http, Stdio, Tap, wait_for  # noqa: E402

tap = Tap()


def run(*args):
    done = subprocess.run([QUIRE, "serve", *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stderr.decode(errors="replace")


def told(errors, words):
    return sum(words in line for line in errors)


with Folder({"quire.toml": "[mcp_server]\naccess_log = '/dev/full'\n"}) as folder:
    if os.path.exists("/dev/full"):
        with Stdio("hnpx", "--config", folder.path + "/quire.toml", root=folder.path) as q:
            answers = [q.call("create_document", {"file_path": f"{n}.hnpx"}) for n in range(3)]
            tap.ok(all("result" in a and not a["result"].get("isError") for a in answers),
                   "calls go on though their lines cannot be logged", answers)
            wait_for(lambda: told(q.errors, "the access log cannot be written"))
        tap.same(told(q.errors, "the access log cannot be written"), 1, "which is told, and once only")
    else:
        tap.skip("a log on a full disk", "there is no /dev/full")

with Folder({"keys.json": json.dumps({"keys": []})}) as folder:
    keys = folder.path + "/keys.json"
    os.chmod(keys, 0o600)
    with Http("--keys", keys, root=folder.path) as server:
        tap.ok(wait_for(lambda: told(server.errors, "has no keys")), "a file without a key is told", server.errors)
        tap.same(server.raw("POST", "/mcp", "{}", {"Authorization": "Bearer anything"})[0], 401, "and lets nobody in")
        taken = f"127.0.0.1:{server.port}"
        status, err = run("--http", taken, "--root", folder.path)
        tap.ok(status == 1 and "is another server running there" in err, "an address that is taken is told, with status 1", (status, err))
    status, err = run("--http", "127.0.0.1:0", "--keys", folder.path + "/none.json", "--root", folder.path)
    tap.ok(status not in (0, None) and "none.json" in err, "a file of keys that is not there starts no server", (status, err))
    os.mkdir(folder.path + "/folder.json")
    status, err = run("--http", "127.0.0.1:0", "--keys", folder.path + "/folder.json", "--root", folder.path)
    tap.ok(status not in (0, None) and "not a regular file" in err, "nor does a folder", (status, err))
    folder.write("large.json", b" " * (16 << 20))
    status, err = run("--http", "127.0.0.1:0", "--keys", folder.path + "/large.json", "--root", folder.path)
    tap.ok(status not in (0, None) and "larger than" in err, "nor one that is too large to be one", (status, err))
tap.done()
