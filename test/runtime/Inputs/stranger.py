# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stranger.py AUTOPROF PID: asks the process as another user, by the command
and by its socket."""
import os
import socket
import sys

command, pid = sys.argv[1], int(sys.argv[2])
program = os.open(command, os.O_RDONLY)  # Its folder may be closed to others.
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
child = os.fork()
if child == 0:
    os.execve(program, ["autoprof", "attach", str(pid), "start"], os.environ)
print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
client = socket.socket(socket.AF_UNIX)
client.connect("\0autoprof-%d" % pid)
client.settimeout(5)
try:
    client.send(b"start\n")
    print("answer", client.recv(1000))
except OSError as error:
    print("answer", error)
