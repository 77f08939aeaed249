#!/usr/bin/env python3
"""The scripts that run tests: tools/test.pl counts what passed and failed, tools/clean.sh takes a user's settings away but leaves the
registries reachable, and .ci/run tests a clone that has nothing beside it."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Tap  # noqa: E402

tap = Tap()


def ran(*words, cwd=None, **env):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, env={**os.environ, **env})
    return done.returncode, done.stdout + done.stderr


def script(folder, name, *lines):
    folder.write(name, "#!/bin/sh\n" + "\n".join(lines) + "\n")
    os.chmod(os.path.join(folder.path, name), 0o755)
    return "./" + name


with Folder() as f:
    os.mkdir(f.path + "/build")
    good = script(f, "good", "echo 1..2; echo ok 1; echo 'ok 2 # SKIP no reason'")
    bad = script(f, "bad", "echo 1..2; echo ok 1; echo not ok 2", "exit 1")
    dead = script(f, "dead", "echo ok 1", "kill -9 $$")
    data = script(f, "data", "echo 1..1; test \"$QUIRE_DATA\" = " + f.path + "/docs || printf 'not '; echo ok 1")
    own = script(f, "own", "echo 1..1; test -z \"$QUIRE_DATA\" || printf 'not '; echo ok 1")
    test = lambda *words: ran("perl", TOP + "/tools/test.pl", "2", *words, cwd=f.path, QUIRE_DATA="/elsewhere")
    status, said = test(good, own)
    tap.ok(status == 0 and said.endswith("\n3 passed, 0 failed\n"), "test.pl counts claims, and a skipped one is no failure", said)
    status, said = test(good, bad, dead)
    tap.ok(status == 1 and said.endswith("\n4 passed, 2 failed\n"), "a claim that fails and a program that dies are failures", said)
    status, said = test(own, "--foreign", "docs", data)
    tap.ok(status == 0 and "\nskipped: the tests on documents of others, because there is no folder docs (QUIRE_DATA)\n1 passed, 0 failed\n" in said,
           "documents of others that are not there are one line", said)
    os.mkdir(f.path + "/docs")
    status, said = test(own, "--foreign", "docs", data)
    tap.ok(status == 0 and said.endswith("\n2 passed, 0 failed\n") and "skipped" not in said, "where they are, their tests run with that folder", said)
    script(f, "slow", "sleep 1; echo 1..1; echo ok 1")
    test("./slow", own)
    status, said = test(own, "./slow")
    tap.ok(f.read("build/test.times").startswith(b"1.") and b" ./slow\n" in f.read("build/test.times"), "the times are kept, so that long tests begin first",
           f.read("build/test.times"))

with Folder({"old/.npmrc": "registry=https://r.example/\nfund=false\n@us:registry=https://u.example/\n//r.example/:always=1\n", "new/x": ""}) as f:
    status, said = ran(TOP + "/tools/clean.sh", f.path + "/new", "env", HOME=f.path + "/old", QUIRE_DATA="x", npm_config_fund="no", npm_lifecycle_event="test",
                       NPM_CONFIG_REGISTRY="https://e.example/", npm_config_https_proxy="http://p.example", MAKEFLAGS="-k", SSL_CERT_FILE="/c.pem", XDG_STATE_HOME="/s")
    names = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    tap.ok(names["HOME"] == f.path + "/new" and not {"QUIRE_DATA", "npm_config_fund", "npm_lifecycle_event", "MAKEFLAGS", "XDG_STATE_HOME"} & set(names),
           "clean.sh takes settings away", names)
    tap.ok(names["NPM_CONFIG_REGISTRY"] == "https://e.example/" and names["npm_config_https_proxy"] == "http://p.example" and names["SSL_CERT_FILE"] == "/c.pem",
           "what leads to a registry stays", names)
    tap.same(f.read("new/.npmrc").decode(), "registry=https://r.example/\n@us:registry=https://u.example/\n//r.example/:always=1\n",
             "and of the user's .npmrc the lines that name registries")
    tap.same(ran(TOP + "/tools/clean.sh", f.path + "/new", "sh", "-c", "umask", HOME=f.path + "/old")[1].strip(), ran("sh", "-c", "umask")[1].strip(),
             "files are made as before")

MAKEFILE = "test:\n\t@test ! -e ../shared && echo '{} passed, {} failed'{}\nforeign:\n\t@test -e $(QUIRE_DATA)/a && echo '5 passed, 0 failed'\n"
for name, makefile, beside, last, want in (
        ("all pass", MAKEFILE.format(7, 0, ""), False, "7 passed, 0 failed", 0), ("with documents of others", MAKEFILE.format(7, 0, ""), True, "12 passed, 0 failed", 0),
        ("one fails", MAKEFILE.format(6, 1, "; exit 1"), True, "11 passed, 1 failed", 1), ("the build breaks", "test:\n\tfalse\nforeign:\n\tfalse\n", False, "0 passed, 1 failed", 1)):
    with Folder({"top/repository/Makefile": makefile}) as f:
        at = f.path + "/top/repository"
        for path in (".ci/run", "tools/clean.sh"):
            os.makedirs(os.path.dirname(f"{at}/{path}"), exist_ok=True)
            shutil.copy(f"{TOP}/{path}", f"{at}/{path}")
        for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x")):
            subprocess.run(["git", *words], cwd=at, check=True)
        if beside:
            f.write("top/shared/data/a", "")
        env = {"TMPDIR": f.path} if os.environ.get("QUIRE_DATA") is None else {"TMPDIR": f.path, "QUIRE_DATA": f.path + "/top/shared/data"}
        f.write("top/repository/Makefile", "test:\n\t@echo 'uncommitted; 99 passed, 99 failed'\n")
        status, said = ran(at + "/.ci/run", cwd="/", **env)
        tap.ok(said.splitlines()[-1] == last and status == want, f"{name}: .ci/run ends with {last}", said)
        tap.same([n for n in os.listdir(f.path) if n.startswith("quire-clone")], [], f"{name}: and leaves nothing")
tap.done()
