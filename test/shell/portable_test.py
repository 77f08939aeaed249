#!/usr/bin/env python3
"""The program runs with glibc 2.34 or newer: it needs no later symbol."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Tap  # noqa: E402

tap = Tap()
PROGRAM = os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire"))
if not shutil.which("objdump"):
    tap.skip("no symbol of a glibc later than 2.34", "there is no objdump")
else:
    symbols = subprocess.run(["objdump", "-T", PROGRAM], capture_output=True, text=True, check=True).stdout
    late = [line.split()[-1] for line in symbols.splitlines()
            if any(tuple(map(int, v.split("."))) > (2, 34) for v in re.findall(r"GLIBC_([0-9.]+)", line))]
    tap.same(late, [], "no symbol of a glibc later than 2.34")
script = os.path.join(TOP, "tools/deps.sh")
if os.getuid() == 0 and shutil.which("setpriv"):
    with Folder({"bin/dpkg-query": "#!/bin/sh\nexit 1\n"}) as folder, open(script, encoding="utf-8") as source:
        for path in (folder.path, folder.path + "/bin", folder.path + "/bin/dpkg-query"):
            os.chmod(path, 0o755)
        done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-s", "build"], stdin=source,
                              capture_output=True, text=True, env={**os.environ, "PATH": folder.path + "/bin:" + os.environ["PATH"]})
    tap.ok(done.returncode == 1 and "as root: apt-get install" in done.stderr and len(done.stderr.splitlines()) == 1,
           "without root the packages to install are named in one line", done.stderr + done.stdout)
else:
    tap.skip("without root the packages to install are named in one line", "needs root and setpriv")
tap.done()
