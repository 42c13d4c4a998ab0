/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import io.trefoil.it.cluster.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** What is on the disks of DataNodes, read without HDFS. */
final class RawReplicas {
    private final List<Server> dataNodes;

    RawReplicas(List<Server> dataNodes) {
        this.dataNodes = List.copyOf(dataNodes);
    }

    /** The finalized block files of a block, on all DataNodes that have one. */
    List<Path> blockFiles(ExtendedBlock block) {
        return dataNodes.stream()
                .flatMap(dataNode -> blockFileOn(dataNode, block).stream())
                .toList();
    }

    static Optional<Path> blockFileOn(Server dataNode, ExtendedBlock block) {
        return find(
                poolDirectory(dataNode, block.getBlockPoolId()).resolve("current/finalized"),
                "blk_" + block.getBlockId());
    }

    static Path poolDirectory(Server dataNode, String pool) {
        return dataNode.dataDirectory().resolve("blocks/current").resolve(pool);
    }

    static Optional<Path> find(Path directory, String name) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many names (hard links) the file has. */
    static int linkCount(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:nlink");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
