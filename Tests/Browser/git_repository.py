"""Real git repositories whose git finds the command that was built."""

import os
import plistlib
import subprocess
from pathlib import Path

from harness import BINARY, environment

VALUES = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
\t<key>checkout</key>
\t<dict>
\t\t<key>newFlow</key> <false/>
\t\t<key>oldFlow</key> <true/>
\t</dict>
\t<key>limit</key>
\t<integer>5</integer>
</dict>
</plist>
"""

MANIFEST = """<plist version="1.0">
<dict>
\t<key>version</key><integer>1</integer>
\t<key>flags</key>
\t<array>
\t\t<dict><key>key</key><string>limit</string><key>type</key><string>integer</string></dict>
\t\t<dict><key>key</key><string>checkout/newFlow</string><key>type</key><string>bool</string></dict>
\t</array>
</dict>
</plist>
"""


class Repository:
    """A repository with one commit of a values file and its manifest."""

    def __init__(self, folder, name="flags.xml", values=VALUES):
        self.folder = folder
        programs = folder.parent / f"{folder.name}-programs"
        programs.mkdir(parents=True)
        (programs / "flagboard").symlink_to(Path(BINARY).resolve())
        own = {
            "PATH": f"{programs}:{os.environ['PATH']}", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_EDITOR": "true"}
        self.environment = {n: v for n, v in environment().items() if not n.startswith("GIT_")} | own
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.file = folder / name
        self.manifest = self.file.with_name(f"{self.file.stem}.manifest.xml")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(values.encode())
        self.manifest.write_text(MANIFEST)
        self.git("add", "--all")
        self.commit("the first version")

    def run(self, *command, folder=None, **variables):
        return subprocess.run(
            command, capture_output=True, text=True, cwd=folder or self.folder, env=self.environment | variables,
            stdin=subprocess.DEVNULL, timeout=60)

    def git(self, *arguments, code=0):
        done = self.run("git", *arguments)
        assert done.returncode == code, f"git {arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def flagboard(self, *arguments, code=0, folder=None, **variables):
        done = self.run("flagboard", *arguments, folder=folder, **variables)
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def complaint(self, *arguments, code=1, folder=None, **variables):
        done = self.run("flagboard", *arguments, folder=folder, **variables)
        assert (done.returncode, done.stdout) == (code, ""), f"{arguments}: {done.stdout}{done.stderr}"
        return done.stderr

    def commit(self, subject):
        self.git("commit", "-q", "-a", "-m", subject)

    def edit(self, old, new, subject, file=None):
        """Replaces a text of a file, and commits that."""
        file = file or self.file
        text = file.read_bytes().decode()
        assert text.count(old) == 1
        file.write_bytes(text.replace(old, new).encode())
        self.commit(subject)

    def fork(self, ours, theirs, file=None):
        """Two branches of one edit each: `main`, which is checked out, and `other`."""
        self.git("checkout", "-q", "-b", "other")
        self.edit(*theirs, "theirs", file)
        self.git("checkout", "-q", "main")
        self.edit(*ours, "ours", file)

    @property
    def values(self):
        return plistlib.loads(self.file.read_bytes())

    @property
    def is_clean(self):
        return self.git("status", "--porcelain") == ""
