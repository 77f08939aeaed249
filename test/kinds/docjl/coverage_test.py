#!/usr/bin/env python3
"""Clauses of a standard against the compliance notes of a manual: covered, partly, missing; as a tool, as CSV and as a page."""
import csv
import io
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Stdio, Tap

t = Tap()


def para(label, note):
    return {"type": "paragraph", "label": label, "content": [{"type": "text", "content": "x"}], **({"compliance_note": note} if note else {})}


DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    para("para:1", "ISO/IEC 17025:2017, clause 8.3.2 a)"), para("para:2", "8.3.2 A), 8.3.2 (a); 4.1."), para("para:3", "see 7.2.1.1"), para("para:4", None),
    {"type": "table", "label": "tab:1", "headers": ["a"], "rows": [["b"]], "compliance_note": "Annex A.1"}] + [para(f"para:{n}", "6.2") for n in range(10, 30)]}
CLAUSES = 'clause,title\n4,General\n4.1,Impartiality\n4.10,"Ten, not one"\n6.2,Personnel\n7.2,Methods\n8.3,Control\n8.3.2,Documents\n8.3.2 a),"approved ""before"" issue"\n8.4,Records\nA.1,Annex\n'
WANT = {"4": "partly", "4.1": "covered", "4.10": "missing", "6.2": "covered", "7.2": "partly", "8.3": "partly", "8.3.2": "partly", "8.3.2 a)": "covered",
        "8.4": "missing", "A.1": "covered"}
with Folder() as f:
    f.write("clauses.csv", CLAUSES)
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        def call(**more):
            got = s.call("mcp_docjl_coverage", {"document_id": "d", **more})["result"]
            return json.loads(got["content"][0]["text"])
        s.call("mcp_docjl_create_document", {"document": DOCUMENT})
        got = call(clauses=CLAUSES)
        t.same({c["clause"]: c["state"] for c in got["clauses"]}, WANT, "each clause is covered, partly covered or missing")
        t.same((got["covered"], got["partly"], got["missing"]), (4, 4, 2), "with the numbers")
        rows = {c["clause"]: c for c in got["clauses"]}
        t.same(rows["8.3.2 a)"]["labels"], ["para:1", "para:2"], "and the blocks that name it, each once")
        t.ok(len(rows["6.2"]["labels"]) == 10 and rows["6.2"]["blocks"] == 20, "at most ten, and how many there are", rows["6.2"])
        t.same(rows["8.3.2 a)"]["title"], 'approved "before" issue', "a title may be quoted")
        t.same([c["state"] for c in call(clauses="\ufeff8.3;Control\r\n4.1;Impartiality\r\n")["clauses"]], ["partly", "covered"], "semicolons and a byte order mark are read")
        for bad, words in (("clause,title\n", "no clause"), ("8.3,a\n8.3,b\n", "line 2 repeats the clause 8.3"), ("8.3,a\nnone,b\n", "line 2 has no number"), ("8.3,a\n8.3.,b", "line 2 repeats")):
            got = call(clauses=bad)
            t.ok(words in got.get("error", {}).get("message", ""), f"refused: {bad!r}", got)
    def shell(*args):
        return subprocess.run([QUIRE, "docjl", "coverage", *args, "--root", f.path], capture_output=True, text=True)
    done = shell("d", os.path.join(f.path, "clauses.csv"))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    t.same({r["clause"]: r["state"] for r in rows}, WANT, "the command writes CSV")
    t.ok(rows[3]["blocks"].endswith("and 10 more") and rows[7]["title"] == 'approved "before" issue', "with the blocks and titles", rows[3])
    page = shell("d", os.path.join(f.path, "clauses.csv"), "--format", "html", "-o", os.path.join(f.path, "page.html"))
    t.ok(page.returncode == 0 and b"<td>8.4</td><td>Records</td><td>missing</td>" in f.read("page.html"), "and a page", page)
    t.ok(shell("d", os.path.join(f.path, "none.csv")).returncode == 1 and shell("d").returncode == 2, "a missing file is refused")
t.done()
