#!/usr/bin/env python3
"""The generated pages under docs are the same as those that `make docs` writes."""
import filecmp
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QUIRE = os.environ.get("QUIRE", os.path.join(TOP, "build/asan/quire"))


def pages(folder):
    """Every file below the folder, by its relative path."""
    found = []
    for top, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(top, name), folder) for name in names]
    return sorted(found)


def main():
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([QUIRE, "docs", made], check=True)
        written = pages(made)
        failed = False
        claims = []
        for page in written:
            kept = os.path.join(TOP, "docs", page)
            same = os.path.exists(kept) and filecmp.cmp(kept, os.path.join(made, page), shallow=False)
            claims.append((same, f"docs/{page} is what the tables say (else: make docs)"))
        tools = os.path.join(TOP, "docs", "tools")
        stale = [p for p in pages(tools) if os.path.join("tools", p) not in written] if os.path.isdir(tools) else []
        claims.append((not stale, "no page under docs/tools is of a kind that is gone" + "".join(f" ({p})" for p in stale)))
        print(f"1..{len(claims)}")
        for number, (holds, claim) in enumerate(claims, 1):
            print(f"{'ok' if holds else 'not ok'} {number} - {claim}")
            failed = failed or not holds
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
