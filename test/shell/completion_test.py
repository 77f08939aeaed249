#!/usr/bin/env python3
"""Completion in bash, zsh and fish: each shell is started and completes a word; a missing shell is skipped."""
import os
import pty
import select
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "../../packaging/completions")
tap = Tap()

# The typed text, and the line after the Tab key.
CASES = [
    ("quire hist", "quire history "),
    ("quire call hnpx get_next", "quire call hnpx get_next_empty_container "),
    ("quire call hnpx get_node --file-p", "quire call hnpx get_node --file-path "),
    ("quire call hnpx get_node --file_p", "quire call hnpx get_node --file_path "),
    ("quire config winds", "quire config windsurf "),
    ("quire history my-bo", "quire history my-book.hnpx "),
]


def typed(argv, env, cwd, setup, line):
    """The line in an interactive shell after a Tab: the shell echoes it after a mark."""
    pid, fd = pty.fork()
    if not pid:
        os.chdir(cwd)
        os.execvpe(argv[0], argv, env)
    seen = b""

    def read_until(mark, seconds=20):
        nonlocal seen
        end = time.monotonic() + seconds
        while mark not in seen and time.monotonic() < end:
            if select.select([fd], [], [], 0.2)[0]:
                try:
                    seen += os.read(fd, 65536)
                except OSError:
                    break

    os.write(fd, (setup + "\r").encode())
    read_until(b"READY>")
    seen = b""
    # The completed line, followed by an X, becomes the arguments of a command that prints it.
    os.write(fd, (line + "\tX\x01echo 'GOT[\x05]'\r").encode())
    read_until(b"]\r\n", 10)
    os.write(fd, b"exit\r")
    os.close(fd)
    os.waitpid(pid, 0)
    text = seen.decode(errors="replace")
    got = text[text.rfind("GOT[") + 4:]
    return got[:got.find("X]")] if "X]" in got else text


def bash_line(env, cwd, line):
    """Calls bash's function as bash does; an interactive bash needs no more."""
    words = line.split(" ")
    script = (f"source {SCRIPTS}/quire.bash; compopt() {{ :; }}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _quire; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    out = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=env, cwd=cwd).stdout.split("\n")
    return [word for word in out if word]


with Folder({"bin/x": "", "my-book.hnpx": "<book id='a'><summary>s</summary></book>"}) as folder:
    os.symlink(QUIRE, folder.path + "/bin/quire")
    env = {**os.environ, "PATH": folder.path + "/bin:" + os.environ["PATH"], "TERM": "dumb", "HOME": folder.path, "LC_ALL": "C.UTF-8"}
    for line, want in CASES:
        offers = bash_line(env, folder.path, line)
        word = want.strip().split(" ")[-1]
        if "." in word:
            tap.same(offers, [], "bash: where a file is meant nothing is offered, so that bash offers files")
        else:
            tap.same(offers, [word], f"bash: {line} becomes {want}")
    if shutil.which("fish"):
        for line, want in CASES:
            out = subprocess.run(["fish", "--no-config", "-c", f"source {SCRIPTS}/quire.fish; complete -C '{line}'"], capture_output=True,
                                 text=True, env=env, cwd=folder.path)
            tap.same([o.split("\t")[0] for o in out.stdout.splitlines()], [want.strip().split(" ")[-1]], f"fish: {line} becomes {want}")
    else:
        tap.skip("fish completes", "fish is not installed")
    if shutil.which("zsh"):
        setup = f"PS1='READY>'; fpath=({SCRIPTS} $fpath); autoload -Uz compinit && compinit -u -D; unsetopt zle_bracketed_paste"
        for line, want in CASES:
            got = typed(["zsh", "-f", "-i"], env, folder.path, setup, line)
            tap.same(got, want, f"zsh: {line} becomes {want}")
    else:
        tap.skip("zsh completes", "zsh is not installed")

tap.done()
