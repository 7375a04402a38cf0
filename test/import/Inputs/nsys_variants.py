# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites an export of Nsight Systems as other versions write it, and compares
what `autoprof report` says of each with what it says of the original:

    nsys_variants.py AUTOPROF EXPORT.sqlite FOLDER
"""
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

autoprof, export, folder = sys.argv[1:]
ENUMS = ("ENUM_CUDA_MEMCPY_OPER", "ENUM_CUDA_MEM_KIND", "ENUM_CUPTI_STREAM_TYPE", "ENUM_CUPTI_SYNC_TYPE")


def report(path):
    whole = json.loads(subprocess.run([autoprof, "report", "--format=json", path], check=True,
                                      capture_output=True).stdout)
    del whole["inputs"]
    return whole


def variant(name, *statements):
    path = pathlib.Path(folder, name + ".sqlite")
    shutil.copyfile(export, path)
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    return report(path)


def without(table, *columns):
    """Older versions have fewer columns; SQLite before 3.35 cannot drop them."""
    keep = ", ".join(f'"{c[1]}"' for c in sqlite3.connect(export).execute(f"PRAGMA table_info({table})")
                     if c[1] not in columns)
    return (f"CREATE TABLE kept AS SELECT {keep} FROM {table}", f"DROP TABLE {table}",
            f"ALTER TABLE kept RENAME TO {table}")


def check(name, *statements):
    found = variant(name, *statements)
    assert found == original, (name, [key for key in original if found[key] != original[key]])
    print(name, "is read alike")


original = report(export)
assert original["summary"]["wait_ns"] > 0 and original["devices"][0]["ops"] > 0

# 2021: numbers without tables of their names, names of kernels in one column,
# no event classes, no green contexts, no version of the schema.
check("no-enumerations", *(f"DROP TABLE {table}" for table in ENUMS))
check("no-export-data", "DROP TABLE META_DATA_EXPORT", "DROP TABLE META_DATA_CAPTURE")
check("few-columns",
      *without("CUPTI_ACTIVITY_KIND_RUNTIME", "eventClass", "callchainId", "returnValue"),
      *without("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "greenContextId", "deprecatedSyncType", "eventSyncId"),
      *without("CUPTI_ACTIVITY_KIND_MEMCPY", "greenContextId", "copyCount", "virtualAddress", "graphNodeId"),
      *without("NVTX_EVENTS", "binaryData", "jsonText", "jsonTextId", "endGlobalTid"))
check("short-names", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET shortName = demangledName",
      *without("CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", "mangledName", "clusterX", "graphId"))
# Texts of ranges in the row itself, or in StringIds.
check("texts-in-rows", "UPDATE NVTX_EVENTS SET text = (SELECT value FROM StringIds WHERE id = textId), textId = NULL "
      "WHERE text IS NULL")
check("texts-in-strings",
      "INSERT INTO StringIds SELECT DISTINCT 1000000 + NVTX_EVENTS.rowid, text FROM NVTX_EVENTS WHERE text IS NOT NULL",
      "UPDATE NVTX_EVENTS SET textId = 1000000 + rowid, text = NULL WHERE text IS NOT NULL")
# The upper bits name the machine and its virtual machine.
check("other-machine", *(f"UPDATE {table} SET {column} = {column} | (5 << 56)" for table, column in (
    ("CUPTI_ACTIVITY_KIND_RUNTIME", "globalTid"), ("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid"),
    ("CUPTI_ACTIVITY_KIND_MEMCPY", "globalPid"), ("CUPTI_ACTIVITY_KIND_MEMSET", "globalPid"),
    ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "globalPid"), ("CUPTI_ACTIVITY_KIND_OVERHEAD", "globalTid"),
    ("NVTX_EVENTS", "globalTid"), ("ThreadNames", "globalTid"))))
# No stream is -1 in 32 bits, or NULL.
check("no-stream", *without("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "none"),
      "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET streamId = NULL WHERE streamId IN (-1, 4294967295)")
# The default stream in a table of its own: 2025 and later, and before.
flags = "flag IN (SELECT id FROM ENUM_CUPTI_STREAM_TYPE WHERE name LIKE '%_NULL')"
check("context-info", "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO AS SELECT streamId AS nullStreamId, hwId, vmId, "
      f"processId, 0 AS deviceId, contextId FROM TARGET_INFO_CUDA_STREAM WHERE {flags}",
      f"DELETE FROM TARGET_INFO_CUDA_STREAM WHERE {flags}")
check("null-stream", "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM AS SELECT streamId, hwId, vmId, processId, "
      f"0 AS deviceId, contextId FROM TARGET_INFO_CUDA_STREAM WHERE {flags}",
      f"DELETE FROM TARGET_INFO_CUDA_STREAM WHERE {flags}")

# What is known of the GPU, under the machine's number and the process's.
device = original["devices"][0]["id"]
with_gpu = variant(
    "gpu", "CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER, "
    "computeMajor INTEGER, computeMinor INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, "
    "maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER)",
    "INSERT INTO TARGET_INFO_GPU VALUES (7, 'NVIDIA H100', 132, 85000000000, 9, 0, 64, 32, 65536, 233472)",
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER, pid INTEGER)",
    f"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (7, {device}, NULL)")
assert with_gpu["devices"][0]["name"] == "NVIDIA H100"
assert with_gpu["utilization"]["sm_efficiency"] > 0 and original["utilization"]["sm_efficiency"] is None
print("gpu is read")
