# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packages.py PACKAGES PATH: prints the programs in PATH, a list of folders,
that neither the packages of the file PACKAGES nor those of every Debian bring.
A test that calls one of them fails on a machine that has only these packages."""
import os
import re
import shutil
import subprocess
import sys


def closure(wanted):
    """The installed packages among those named and those of every Debian, and all
    that they depend on.
    Of alternatives the first, as apt chooses; of the providers of a virtual
    package all that are installed."""
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status}\t${Package}\t${Priority}\t${Pre-Depends}, ${Depends}\t${Provides}\n"],
        capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in shown.splitlines() if line.startswith("installed\t")]
    depends = {name: needs for _, name, _, needs, _ in rows}
    providers = {name: [name] for name in depends}
    for _, name, _, _, provides in rows:
        for provided in re.findall(r"(?:^|,)\s*([^\s,(]+)", provides):
            providers.setdefault(provided, []).append(name)
    waiting = [name for _, name, priority, _, _ in rows if priority == "required"] + wanted
    found = set()
    while waiting:
        name = waiting.pop()
        if name in found or name not in depends:
            continue
        found.add(name)
        for need in depends[name].split(","):
            options = [providers.get(re.split(r"[\s:(]", option.strip())[0]) for option in need.split("|")]
            waiting += next((option for option in options if option), [])
    return found


def foreign(packages, path):
    """The names of the programs that only this machine has, or none where
    there are no Debian packages."""
    if not shutil.which("dpkg-query"):
        return set()
    with open(packages, encoding="utf-8") as file:
        wanted = [line.split("#")[0].strip() for line in file]
    listed = subprocess.run(["dpkg-query", "-L"] + sorted(closure(wanted)), capture_output=True, text=True).stdout
    files = set(listed.splitlines())
    brought = {os.path.basename(file) for file in files if re.match(r"(/usr)?/s?bin/", file)}
    # /usr/bin/c++ is a link to what its package installs under another name.
    files |= {"/usr" + file for file in files if file.startswith(("/bin/", "/sbin/"))}
    return {entry.name for folder in path.split(os.pathsep) if os.path.isdir(folder) for entry in os.scandir(folder)
            if entry.name not in brought and os.access(entry.path, os.X_OK) and not entry.is_dir()
            and os.path.realpath(entry.path) not in files}


def refuse(names, folder):
    """Makes FOLDER hold a file for each name that shells run and that says so.
    Without a line #! it is no program for lit, which then fails even a test
    that expects this program to fail."""
    os.makedirs(folder, exist_ok=True)
    for name in set(os.listdir(folder)) - names:
        os.remove(os.path.join(folder, name))
    for name in names - set(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write('echo "%s: scripts/packages.txt has no package with this program" >&2\nkill -TERM $$\n' % name)
        os.chmod(path, 0o755)


if __name__ == "__main__":
    print(*sorted(foreign(*sys.argv[1:])), sep="\n")
