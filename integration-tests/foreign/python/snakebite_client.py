# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
"""snakebite-py3: it looks before it changes anything, and so does what it lacks here; nobody else works in its directory."""
import driver
from snakebite.client import Client, HAClient
from snakebite.errors import FileAlreadyExistsException, FileNotFoundException, RequestError
from snakebite.namenode import Namenode


class Snakebite:
    def __init__(self, addresses):
        nodes = [address.rsplit(":", 1) for address in addresses]
        self.client = (
            Client(nodes[0][0], int(nodes[0][1]))
            if len(nodes) == 1
            else HAClient([Namenode(host, int(port)) for host, port in nodes])
        )

    def create(self, path, block_size):
        if self.client.test(path, exists=True):
            return "no"
        return "yes" if list(self.client.touchz([path], 1, int(block_size)))[0]["result"] else "no"

    def delete(self, path):
        try:
            return "yes" if list(self.client.delete([path], recurse=True))[0]["result"] else "no"
        except FileNotFoundException:
            return "no"

    def rename(self, path, other):
        try:
            self.client.rename2(path, other)
            return "yes"
        except (FileNotFoundException, FileAlreadyExistsException):
            return "no"
        except RequestError as e:
            # HDFS has no class for a file and a directory of that name.
            if " must both be " in str(e):
                return "no"
            raise

    def mkdirs(self, path):
        made = list(self.client.mkdir([path]))[0]
        if made["result"]:
            return "yes"
        # It reports errors as results, and that a directory is there as one of them.
        if not made["error"].endswith("File exists"):
            raise IOError(made["error"])
        return "yes" if self.client.test(path, directory=True) else "no"

    def read(self, path):
        try:
            status = self.client.stat([path])
        except FileNotFoundException:
            return driver.NOTHING
        return driver.DIRECTORY if status["file_type"] == "d" else "there is %d" % status["blocksize"]


driver.run(Snakebite)
