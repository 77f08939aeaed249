#!/usr/bin/env python3
"""make run: serves a copy of examples/, prints how to try it, and leaves nothing behind."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap, TOP  # noqa: E402

tap = Tap()
# The last two without curl, and with a client: what is printed to try uses only programs that are there.
with Folder() as folder, Folder() as bare, Folder({"claude": "#!/bin/sh\n"}) as clients:
    os.chmod(clients.path + "/claude", 0o755)
    for name in os.listdir("/usr/bin"):
        if name not in ("curl", "claude") and not os.path.exists(bare.path + "/" + name):
            os.symlink("/usr/bin/" + name, bare.path + "/" + name)
    for number, path in ((signal.SIGINT, os.environ["PATH"]), (signal.SIGTERM, bare.path), (signal.SIGINT, clients.path + ":" + bare.path)):
        process = subprocess.Popen(["sh", os.path.join(TOP, "tools/run.sh"), os.path.abspath(QUIRE)], stdout=subprocess.PIPE, cwd="/",
                                   env={**os.environ, "PORT": "0", "TMPDIR": folder.path, "PATH": path}, start_new_session=True)
        said = ""
        while "\n\n" not in said or '"url"' not in said:
            line = process.stdout.readline().decode()
            if not line:
                break
            said += line
        url = re.search(r"at (http://127\.0\.0\.1:\d+/mcp): ", said)
        tap.ok(url, "it prints its address", said)
        tap.ok(len(glob.glob(folder.path + "/quire-run.*/lighthouse.hnpx")) == 1, "it serves a copy of the examples")
        key = re.search(r"Bearer ([\w-]+)", said).group(1)

        def asked(method, **params):
            request = urllib.request.Request(url.group(1), json.dumps({"method": method, "params": params}).encode(),
                                             {"Content-Type": "application/json", "Authorization": "Bearer " + key})
            try:
                return json.load(urllib.request.urlopen(request, timeout=60))
            except urllib.error.HTTPError as e:
                return e.read().decode()
        for method, params, words in (
                ("hnpx_search", {"file_path": "lighthouse.hnpx", "query": "the lamp."}, "fxs2di"), ("validate_floorplan", {"file_path": "house.floorplan"}, '"valid": true'),
                ("docx_grep", {"file_path": "contract.docx", "patterns": ["sixty"]}, "sixty (60) days"), ("notes_get_node", {"id": "vault/Lamp.md"}, "Fog bell"),
                ("mcp_docjl_list_documents", {}, "Keeper's manual of the Sorrel Point light")):
            answer = json.dumps(asked(method, **params))
            tap.ok(words in answer, f"it serves what {method} reads", answer[:1000])
        call = re.search(r"Try a tool:\n\n((?:  .*\n)+)", said).group(1)
        tap.same("curl" in call, bool(shutil.which("curl", path=path)), "the call to try uses curl where it is installed")
        done = subprocess.run(call, shell=True, capture_output=True, timeout=60, env={**os.environ, "PATH": path})
        tap.ok(b'"beats"' in done.stdout, "the call to try works", done)
        tap.same("claude mcp add" in said, bool(shutil.which("claude", path=path)), "a client's command is printed where the client is")
        tap.ok(f'"url": "{url.group(1)}"' in said, "the client configuration is printed", said)
        os.killpg(process.pid, number)
        tap.same(process.wait(timeout=60), 0, f"signal {int(number)} ends it with status 0")
        tap.same(glob.glob(folder.path + "/*"), [], "and it leaves nothing behind")

tap.done()
