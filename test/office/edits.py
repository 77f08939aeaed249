#!/usr/bin/env python3
"""Edited documents open in LibreOffice, and what was typed is on the pages. Needs soffice and pdftotext."""
import glob
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
files = [f for f in sorted(glob.glob(os.path.join(DATA, "docx/*.docx"))) if "malformed" not in f and "inline-zoo" not in f]
if not files or not shutil.which("soffice") or not shutil.which("pdftotext"):
    tap.skip("edited documents open in LibreOffice", "skipped: no data, soffice or pdftotext")
    tap.done()


def edited(server, name):
    """Edits some paragraphs of a document; the words that must be seen afterwards."""
    rows = server.call("read_file", {"file_path": name, "format": "json", "limit": 60})["result"]["structuredContent"]["nodes"]
    typed = []
    for number, row in enumerate(rows):
        words = row["clean_text"].split(" ")
        if len(words) < 4:
            continue
        at = random.randrange(len(words) - 3)
        word = f"REPLACED{number}"
        done = server.call("smart_edit", {"file_path": name, "target_paragraph_id": row["id"], "old_string": " ".join(words[at:at + 3]),
                                          "new_string": f"{words[at]} {word} {words[at + 2]}", "occurrence": 1})["result"]
        typed += [] if done.get("isError") else [word]
        if number % 7 == 0:
            word = f"INSERTED{number}"
            done = server.call("smart_insert", {"file_path": name, "positional_anchor_node_id": row["id"],
                                                "new_string": f"<header>New</header> \"Term\" means {word}."})["result"]
            typed += [] if done.get("isError") else [word]
    return typed


random.seed(7)
with Folder({os.path.basename(f): open(f, "rb").read() for f in files}) as folder, Stdio("docx", root=folder.path) as server:
    wanted = {}
    for path in files:
        name = os.path.basename(path)
        wanted[name] = edited(server, name)
        server.call("save", {"file_path": name, "save_to_local_path": "out/" + name, "save_format": "clean"})
    out = os.path.join(folder.path, "out")
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder.path}/profile", "--headless", "--convert-to", "pdf", "--outdir", out,
                    *glob.glob(out + "/*.docx")], capture_output=True, timeout=600, check=False)
    for name, words in wanted.items():
        pdf = os.path.join(out, name[:-5] + ".pdf")
        if not tap.ok(os.path.exists(pdf), f"{name} opens after {len(words)} edits"):
            continue
        text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
        text = text.replace("-\n", "").replace("\n", "")
        missing = [w for w in words if w not in text]
        # A word in a narrow cell may be broken over lines at any letter.
        tap.ok(len(missing) <= len(words) // 10, f"{name}: what was typed is on the pages", missing)
tap.done()
