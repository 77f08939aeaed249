#!/usr/bin/env python3
"""The FIELD macro takes a member of the type it says, and no other compiles."""
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEMBERS = {
    "TEXT": "struct text", "INT": "int64_t", "MAYBE_INT": "struct maybe_int", "NUMBER": "double",
    "MAYBE_NUMBER": "struct maybe_number", "FLAG": "bool", "MAYBE_FLAG": "struct maybe_flag", "CHOICE": "int",
    "CHOICES": "struct choices", "TEXTS": "struct texts", "NUMBERS": "struct numbers", "OBJECT": "const struct text *",
    "OBJECTS": "struct objects", "UNION": "struct variant_value", "UNIONS": "struct objects", "MAP": "const struct json *",
    "TEXT_MAP": "const struct json *", "ANY": "const struct json *",
}


def compiles(field, member):
    """Does a row of that field type over a member of that C type compile?"""
    source = f'''#include "tool/field.h"
struct s {{ {member} m; }};
static const struct field f[] = {{FIELD(struct s, m, {field}, 0, "prose"), FIELDS_END}};
const struct field *use(void);
const struct field *use(void) {{ return f; }}
'''
    command = [os.environ.get("CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-fsyntax-only", "-I", os.path.join(TOP, "src"), "-xc", "-"]
    return subprocess.run(command, input=source, text=True, capture_output=True, check=False).returncode == 0


def main():
    print(f"1..{2 * len(MEMBERS)}")
    number = 0
    failed = False
    for field, member in MEMBERS.items():
        right = compiles(field, member)
        other = "float"
        wrong = compiles(field, other)
        # The nearest mistakes: a plain value where presence is kept, and a narrower integer.
        if field in ("INT", "MAYBE_INT"):
            wrong = wrong or compiles(field, "int")
        if field == "CHOICE":
            wrong = wrong or compiles(field, "int64_t")
        if field == "MAYBE_FLAG":
            wrong = wrong or compiles(field, "bool")
        for holds, claim in ((right, f"{field} takes {member}"), (not wrong, f"{field} takes nothing else")):
            number += 1
            failed = failed or not holds
            print(f"{'ok' if holds else 'not ok'} {number} - {claim}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
