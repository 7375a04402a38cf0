# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies an SQLite file without some of its tables: drop_tables.py FROM TO TABLE..."""
import shutil
import sqlite3
import sys

shutil.copyfile(sys.argv[1], sys.argv[2])
db = sqlite3.connect(sys.argv[2])
for table in sys.argv[3:]:
    db.execute('DROP TABLE "%s"' % table)
db.commit()
