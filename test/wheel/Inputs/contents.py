# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contents.py WHEEL: its files, after a comparison with its RECORD."""
import base64
import csv
import hashlib
import io
import sys
import zipfile

wheel = zipfile.ZipFile(sys.argv[1])
(record_name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(wheel.read(record_name).decode()))}
assert sorted(rows) == sorted(wheel.namelist()), set(rows) ^ set(wheel.namelist())
for member in wheel.infolist():
    content = wheel.read(member)
    if member.filename != record_name:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert rows[member.filename] == ["sha256=" + digest, str(len(content))], member.filename
    print(member.filename, "x" if member.external_attr >> 16 & 0o111 else "")
