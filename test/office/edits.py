#!/usr/bin/env python3
"""Edited documents open in LibreOffice, and the typed text is on the pages. LibreOffice reads our redlines
correctly: with all changes accepted they equal the clean file, with all rejected the original. Needs soffice and
pdftotext."""
import glob
import os
import random
import shutil
import subprocess
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
files = [f for f in sorted(glob.glob(os.path.join(DATA, "docx/*.docx"))) if "malformed" not in f and "inline-zoo" not in f]
if not files or not shutil.which("soffice") or not shutil.which("pdftotext"):
    tap.skip("edited documents open in LibreOffice", "skipped: no data, soffice or pdftotext")
    tap.done()


def edited(server, name):
    """Edits some paragraphs of a document; returns the words that must be visible afterwards."""
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


TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
COUNTED = {TEXT + n for n in ("page-number", "page-count", "date", "time")} | {"{urn:oasis:names:tc:opendocument:xmlns:office:1.0}binary-data"}


def convert(folder, into, names):
    """Lets LibreOffice convert files to another format, all in one run."""
    out = os.path.join(folder.path, "out")
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder.path}/profile", "--headless", "--convert-to", into, "--outdir", out,
                    *(os.path.join(out, n) for n in names)], capture_output=True, timeout=600, check=False)


def settled(folder, name, how):
    """The words of a document with all changes accepted or rejected, as LibreOffice stores them: between the marks
    of each change, or with deleted text outside the body and a mark at its position. Blanks do not count. None:
    it could not open the file."""
    path = os.path.join(folder.path, "out", name[:-5] + ".fodt")
    if not os.path.exists(path):
        return None
    body = ElementTree.parse(path).getroot().find(".//{urn:oasis:names:tc:opendocument:xmlns:office:1.0}text")
    tracked = body.find(TEXT + "tracked-changes")
    inserted, deleted = set(), {}
    for region in () if tracked is None else tracked:
        inserted |= {region.get(TEXT + "id")} if region.find(TEXT + "insertion") is not None else set()
        if region.find(TEXT + "deletion") is not None:
            deleted[region.get(TEXT + "id")] = "".join(t for e in region.find(TEXT + "deletion") if "change-info" not in e.tag for t in e.itertext())
    out, inside = [], set()
    gone = inserted if how == "reject" else set(deleted)

    def say(text):
        if text and not inside:
            out.append(text)

    def walk(node):
        change = node.get(TEXT + "change-id")
        if node.tag == TEXT + "change-start" and change in gone:
            inside.add(change)
        elif node.tag == TEXT + "change-end":
            inside.discard(change)
        elif node.tag == TEXT + "change" and how == "reject":
            say(deleted.get(change))
        elif node.tag not in COUNTED and node is not tracked:
            say(node.text)
            for child in node:
                walk(child)
                say(child.tail)

    walk(body)
    return "".join("".join(out).split())


def same(folder, one, how, other, name):
    a, b = settled(folder, one, how), settled(folder, other, "accept")
    at = next((i for i, (x, y) in enumerate(zip(a or "", b or "")) if x != y), min(len(a or ""), len(b or "")))
    tap.ok(a is not None and a == b, name, [t and t[max(0, at - 40):at + 60] for t in (a, b)])


def has_changes(data):
    return any(mark in docx.part(data) for mark in ("<w:ins ", "<w:del ", "<w:moveTo "))


random.seed(7)
documents = {os.path.basename(f): open(f, "rb").read() for f in files}
with Folder(documents) as folder, Stdio("docx", root=folder.path) as server:
    wanted = {}
    for name in documents:
        wanted[name] = edited(server, name)
        server.call("save", {"file_path": name, "save_to_local_path": "out/" + name, "save_format": "clean"})
    clean = [n for n in documents if documents[n] and not has_changes(documents[n])]
    for name in clean:
        server.call("save", {"file_path": name, "save_to_local_path": "out/red." + name, "save_format": "tracked"})
        server.call("compare_documents", {"original_file_path": name, "revised_file_path": "out/" + name, "save_to_local_path": "out/compared." + name})
        server.call("accept_changes", {"file_path": "out/red." + name})
        server.call("save", {"file_path": "out/red." + name, "save_to_local_path": "out/accepted." + name, "save_format": "clean"})
        shutil.copy(os.path.join(folder.path, name), os.path.join(folder.path, "out/original." + name))
    convert(folder, "pdf", documents)
    convert(folder, "fodt", [kind + n for n in clean for kind in ("", "red.", "compared.", "accepted.", "original.")])
    for name, words in wanted.items():
        pdf = os.path.join(folder.path, "out", name[:-5] + ".pdf")
        if not tap.ok(os.path.exists(pdf), f"{name} opens after {len(words)} edits"):
            continue
        text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
        text = text.replace("-\n", "").replace("\n", "")
        missing = [w for w in words if w not in text]
        # A word in a narrow cell may be split over lines at any letter.
        tap.ok(len(missing) <= len(words) // 10, f"{name}: what was typed is on the pages", missing)
    for name in clean:
        for kind in ("red", "compared"):
            same(folder, f"{kind}.{name}", "accept", name, f"{name}, {kind}: LibreOffice accepts to the clean text")
            same(folder, f"{kind}.{name}", "reject", "original." + name, f"{name}, {kind}: LibreOffice rejects to the original")
        same(folder, "accepted." + name, "accept", name, f"{name}: what accept_changes left is the clean text")
tap.done()
