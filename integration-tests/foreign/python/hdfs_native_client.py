# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
"""The Rust client hdfs-native, by its Python wheel."""
import driver
from hdfs_native import Client, WriteOptions


class Native:
    def __init__(self, addresses):
        names = ["nn%d" % number for number in range(len(addresses))]
        config = {"dfs.ha.namenodes.foreign": ",".join(names)}
        for name, address in zip(names, addresses):
            config["dfs.namenode.rpc-address.foreign." + name] = address
        self.client = Client("hdfs://foreign" if len(addresses) > 1 else "hdfs://" + addresses[0], config)

    def create(self, path, block_size):
        try:
            self.client.create(path, WriteOptions(block_size=int(block_size), replication=1)).close()
            return "yes"
        except FileExistsError:
            return "no"

    def delete(self, path):
        return "yes" if self.client.delete(path, True) else "no"

    def rename(self, path, other):
        try:
            self.client.rename(path, other, False)
            return "yes"
        except (FileNotFoundError, FileExistsError):
            return "no"
        except RuntimeError as e:
            # HDFS has no class for a file and a directory of that name.
            if " must both be " in str(e):
                return "no"
            raise

    def mkdirs(self, path):
        try:
            self.client.mkdirs(path, 0o755, False)
            return "yes"
        except FileExistsError:
            return "no"

    def read(self, path):
        try:
            status = self.client.get_file_info(path)
        except FileNotFoundError:
            return driver.NOTHING
        return driver.DIRECTORY if status.isdir else "there is %d" % status.blocksize


driver.run(Native)
