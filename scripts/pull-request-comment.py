#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Posts a Markdown file as a comment on the pull request of a GitHub workflow.

Usage: scripts/pull-request-comment.py FILE

The first line of FILE is a marker ("<!-- autoprof-audit -->"): the comment that
begins with it is updated, or if there is none, a new one is made, so that a pull
request has one comment however often it is pushed to. Needs GITHUB_TOKEN with the
permission pull-requests: write, and the variables that GitHub sets. Without that
permission, as for pull requests from forks, it prints a notice and succeeds.
"""
import json
import os
import re
import sys
import urllib.error
import urllib.request

PER_PAGE = 100


def request(method, url, body=None):
    """Sends a request to GitHub's API and returns the decoded answer."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {
        "Authorization": "Bearer " + os.environ["GITHUB_TOKEN"],
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
    }
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
        return json.load(answer)


def find_comment(comments_url, marker):
    """The URL of the comment that begins with the marker, or None."""
    page = 1
    while True:
        comments = request("GET", f"{comments_url}?per_page={PER_PAGE}&page={page}")
        for comment in comments:
            if comment["body"].startswith(marker):
                return comment["url"]
        if len(comments) < PER_PAGE:
            return None
        page += 1


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pull-request-comment.py FILE")
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    marker = re.match(r"<!-- \S+ -->", text)
    if not marker:
        sys.exit(f"{sys.argv[1]} does not begin with a marker such as <!-- autoprof-audit -->")
    with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
        comments_url = json.load(file)["pull_request"]["comments_url"]
    try:
        existing = find_comment(comments_url, marker.group())
        if existing:
            request("PATCH", existing, {"body": text})
        else:
            request("POST", comments_url, {"body": text})
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403):
            raise
        print("::notice::no comment was written: this workflow has no permission pull-requests: write")
        return
    print("updated the comment" if existing else "wrote a comment")


if __name__ == "__main__":
    main()
