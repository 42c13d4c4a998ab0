# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a client of HDFS: requests come as JSON lines, and one answer for each leaves as a JSON line (integration-tests/README.md)."""
import json
import queue
import sys
import threading

NOTHING = "there is nothing"
DIRECTORY = "there is a directory"


def run(connect):
    """Serves until the input ends. connect(addresses) makes a client with create, delete, rename, mkdirs and read."""
    addresses = sys.argv[1].split(",")
    writing = threading.Lock()
    requests = {}

    def serve(mine):
        client = None
        for request in iter(mine.get, None):
            answer = {"client": request["client"]}
            try:
                client = client or connect(addresses)
                answer["answer"] = getattr(client, request["op"])(*request["arguments"])
            except Exception as e:  # whatever the client's library throws is its user's error
                answer["error"] = (type(e).__module__ + "." + type(e).__name__ + ": " + str(e))[:500]
            with writing:
                print(json.dumps(answer), flush=True)

    for line in sys.stdin:
        request = json.loads(line)
        if request["client"] not in requests:
            requests[request["client"]] = queue.Queue()
            threading.Thread(target=serve, args=(requests[request["client"]],), daemon=True).start()
        requests[request["client"]].put(request)
