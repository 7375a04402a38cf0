# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with the part of GitHub's API about comments served on this
machine: github.py LOG COMMAND...

event.json, the event of a pull request, is written to the current folder. LOG
gets a line for each request. FORBIDDEN=1: nobody may do anything.
"""
import http.server
import json
import os
import subprocess
import sys
import threading

comments = []
log = open(sys.argv[1], "w", encoding="utf-8")


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, code, body):
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or "{}").get("body", "")
        print(self.command, self.path, *body.splitlines()[:1], file=log, flush=True)
        if os.environ.get("FORBIDDEN") or self.headers["Authorization"] != "Bearer secret":
            self.answer(403, {})
        elif self.command == "GET":
            self.answer(200, comments)
        elif self.command == "POST":
            comments.append({"url": f"{base}/repos/me/train/issues/comments/{len(comments) + 1}", "body": body})
            self.answer(201, comments[-1])
        else:
            comments[int(self.path.rpartition("/")[2]) - 1]["body"] = body
            self.answer(200, {})

    do_GET = do_POST = do_PATCH = serve


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
base = f"http://127.0.0.1:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
with open("event.json", "w", encoding="utf-8") as file:
    json.dump({"pull_request": {"comments_url": base + "/repos/me/train/issues/7/comments"}}, file)
sys.exit(subprocess.run(sys.argv[2:]).returncode)
