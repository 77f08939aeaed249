#!/usr/bin/env python3
"""The quotation marks of exports equal the published data of the Unicode CLDR, in every language that has any."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

DATA = os.path.join(TOP, "test/node/node_modules/cldr-misc-full/main")
# Prose with all four marks: speech around a quotation.
BOOK = ('<book id="bbbbbb"><summary>s</summary><chapter id="c00001" title="T"><summary>s</summary><sequence id="s00001" loc="l">'
        '<summary>s</summary><beat id="e00001"><summary>s</summary><paragraph id="p00001" mode="dialogue" char="x"><summary>s</summary>'
        "a 'b' c</paragraph></beat></sequence></chapter></book>")


def main():
    tap = Tap()
    claim = "marks are CLDR's"
    if not os.path.isdir(DATA):
        tap.skip(claim, "skipped: the CLDR package is not installed")
        return tap.done()
    checked, wrong = 0, []
    with Folder({"b.hnpx": BOOK}) as folder, Stdio("hnpx", root=folder.path) as server:
        for tag in sorted(os.listdir(DATA)):
            with open(os.path.join(DATA, tag, "delimiters.json"), encoding="utf-8") as f:
                marks = json.load(f)["main"][tag]["delimiters"]
            if tag == "und" or len(tag) > 30:
                continue
            server.call("export_document", {"file_path": "b.hnpx", "output_path": "o.txt", "language": tag, "overwrite": True})
            words = folder.read("o.txt").decode().split("\n\n")[-1].strip().replace("\u00a0", "")
            want = "{quotationStart}a {alternateQuotationStart}b{alternateQuotationEnd} c{quotationEnd}".format(**marks)
            checked += 1
            if words != want:
                wrong.append((tag, words, want))
    tap.ok(checked > 300, "there are hundreds of languages to compare", checked)
    tap.same(wrong, [], claim)
    tap.done()


main()
