# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
"""hdfs, a client of WebHDFS: it looks before it renames, as HDFS would move into a directory of that name; nobody else works in its directory."""
import driver
from hdfs import InsecureClient
from hdfs.util import HdfsError


class Hdfs:
    def __init__(self, addresses):
        self.client = InsecureClient(";".join("http://" + address for address in addresses), user="foreign")

    def delete(self, path):
        return "yes" if self.client.delete(path, recursive=True) else "no"

    def rename(self, path, other):
        if self.client.status(other, strict=False):
            return "no"
        try:
            self.client.rename(path, other)
            return "yes"
        except HdfsError as e:
            # Its own words for HDFS's "false".
            if str(e).startswith("Unable to rename "):
                return "no"
            raise

    def mkdirs(self, path):
        self.client.makedirs(path)
        return "yes"

    def read(self, path):
        return driver.DIRECTORY if self.client.status(path, strict=False) else driver.NOTHING


driver.run(Hdfs)
