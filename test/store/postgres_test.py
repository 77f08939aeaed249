#!/usr/bin/env python3
"""The store's own tests again, on a PostgreSQL server."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from postgres import Cluster
from quire import QUIRE, Tap

t = Tap()
program = os.path.join(os.path.dirname(QUIRE), "test/store/store_test")
if not Cluster.available() or not os.path.exists(program):
    t.skip("the store's tests hold on PostgreSQL", "skipped: no PostgreSQL or no test program here")
    t.done()
with Cluster() as pg:
    done = subprocess.run([program], env={**os.environ, "DATABASE_URL": pg.url}, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if line.startswith(("ok ", "not ok ")):
            t.ok(line.startswith("ok "), line.split(" - ", 1)[1] + ", on PostgreSQL")
    t.same(done.returncode, 0, "the test program ends well")
    if done.returncode:
        print("#", (done.stdout + done.stderr)[-3000:].replace("\n", "\n# "))
t.done()
