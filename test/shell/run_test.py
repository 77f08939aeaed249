#!/usr/bin/env python3
"""make run: serves a copy of examples/, prints how to try it, and leaves nothing behind."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap, TOP  # noqa: E402

tap = Tap()
with Folder() as folder:
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(["sh", os.path.join(TOP, "tools/run.sh"), os.path.abspath(QUIRE)], stdout=subprocess.PIPE, cwd="/",
                                   env={**os.environ, "PORT": "0", "TMPDIR": folder.path}, start_new_session=True)
        said = ""
        while "\n\n" not in said or '"url"' not in said:
            line = process.stdout.readline().decode()
            if not line:
                break
            said += line
        url = re.search(r"at (http://127\.0\.0\.1:\d+/mcp)\n", said)
        tap.ok(url, "it prints its address", said)
        tap.ok(len(glob.glob(folder.path + "/quire-run.*/lighthouse.hnpx")) == 1, "it serves a copy of the examples")
        call = re.search(r"  curl .*\n .*\n", said).group(0)
        if shutil.which("curl"):
            done = subprocess.run(call, shell=True, capture_output=True, timeout=60)
            tap.ok(b'"chapters"' in done.stdout, "the call to try works", done.stdout)
        else:
            tap.skip("the call to try works", "there is no curl")
        tap.ok(f'"url": "{url.group(1)}"' in said and "claude mcp add" in said, "it prints the client configuration", said)
        os.killpg(process.pid, number)
        tap.same(process.wait(timeout=60), 0, f"signal {int(number)} ends it with status 0")
        tap.same(glob.glob(folder.path + "/*"), [], "and it leaves nothing behind")

tap.done()
