# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
"""pyhdfs, a client of WebHDFS: it looks before it renames, as HDFS would move into a directory of that name; nobody else works in its directory."""
import driver
import pyhdfs


class Pyhdfs:
    def __init__(self, addresses):
        self.client = pyhdfs.HdfsClient(hosts=addresses, user_name="foreign")

    def delete(self, path):
        return "yes" if self.client.delete(path, recursive=True) else "no"

    def rename(self, path, other):
        if self.client.exists(other):
            return "no"
        return "yes" if self.client.rename(path, other) else "no"

    def mkdirs(self, path):
        return "yes" if self.client.mkdirs(path) else "no"

    def read(self, path):
        return driver.DIRECTORY if self.client.exists(path) else driver.NOTHING


driver.run(Pyhdfs)
