"""office.py: LibreOffice without a window, controlled over a pipe. It opens documents, accepts or rejects their
tracked changes by LibreOffice's own commands, and returns their contents. Needs python3-uno and its own
interpreter, /usr/bin/python3."""
import os
import subprocess
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException


def value(name, is_set):
    p = PropertyValue()
    p.Name, p.Value = name, is_set
    return p


class Office:
    """One soffice with a profile of its own."""

    def __init__(self, folder):
        pipe = f"quire{os.getpid()}"
        self.process = subprocess.Popen(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--nologo",
                                         f"--accept=pipe,name={pipe};urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for attempt in range(600):
            try:
                self.context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except NoConnectException:
                if attempt == 599:
                    raise
                time.sleep(0.1)
        make = self.context.ServiceManager.createInstanceWithContext
        self.desktop = make("com.sun.star.frame.Desktop", self.context)
        self.dispatcher = make("com.sun.star.frame.DispatchHelper", self.context)
        # It ends with its last document, so one is kept open.
        self.desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, (value("Hidden", True),))

    def open(self, path):
        """None: it cannot open the file."""
        try:
            return self.desktop.loadComponentFromURL("file://" + path, "_blank", 0, (value("Hidden", True),))
        except Exception:  # the bridge has many exceptions, which all mean the same here
            return None

    def settle(self, document, how):
        """how: AcceptAll or RejectAll."""
        self.dispatcher.executeDispatch(document.CurrentController.Frame, f".uno:{how}TrackedChanges", "", 0, ())

    def close(self):
        try:
            self.desktop.terminate()
        except Exception:  # it ends the bridge too
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def told(text, where=""):
    """Every paragraph of a text in order: its position, label, style, alignment and words; table cells are included
    in order. Indents are left out: LibreOffice reads those of some styles differently if a file has tracked
    changes."""
    out = []
    walk = text.createEnumeration()
    while walk.hasMoreElements():
        block = walk.nextElement()
        if block.supportsService("com.sun.star.text.Paragraph"):
            out.append((where, block.ListLabelString.strip(), block.ParaStyleName, str(block.ParaAdjust), block.String))
        elif block.supportsService("com.sun.star.text.TextTable"):
            for name in block.CellNames:
                out += told(block.getCellByName(name), f"{where}/{name}")
    return out
