/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Sends reads without waiting for each other's answers. ZooKeeper executes the requests of a session in the
 * order in which they were sent, so they see what they would have seen one after the other, and all of them together
 * take one round trip. Curator waits for each, or, in the background, may never say that one has failed; so these go to
 * ZooKeeper's own client, which answers each, if only with the loss of the connection.
 */
class PipelinedReads {
    private final ZooKeeper zooKeeper;

    PipelinedReads(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** The data of a znode, and their version. */
    static final class NodeData {
        private final byte[] bytes;
        private final int version;

        private NodeData(byte[] bytes, int version) {
            this.bytes = bytes;
            this.version = version;
        }

        byte[] bytes() {
            return bytes;
        }

        int version() {
            return version;
        }
    }

    /** The data of a node that may be missing; sets a watch for its creation, change or deletion. */
    CompletableFuture<Optional<NodeData>> readDataIfPresent(String path, Watcher watcher) {
        CompletableFuture<Optional<NodeData>> answer = new CompletableFuture<>();
        // A read of data sets no watch where nothing is. This is answered first, and a failure of it stands.
        zooKeeper.exists(
                path,
                watcher,
                (code, at, context, stat) -> {
                    if (code != Code.OK.intValue() && code != Code.NONODE.intValue()) {
                        fail(answer, code, at);
                    }
                },
                null);
        zooKeeper.getData(
                path,
                false,
                (code, at, context, bytes, stat) -> {
                    if (code == Code.NONODE.intValue()) {
                        answer.complete(Optional.empty());
                    } else {
                        complete(answer, code, at, data(bytes, stat));
                    }
                },
                null);
        return answer;
    }

    /** The data of a node that should exist; sets a watch if it does. */
    CompletableFuture<NodeData> readData(String path, Watcher watcher) {
        CompletableFuture<NodeData> answer = new CompletableFuture<>();
        zooKeeper.getData(
                path,
                watcher,
                (code, at, context, bytes, stat) ->
                        complete(answer, code, at, data(bytes, stat).orElse(null)),
                null);
        return answer;
    }

    /** The names of a node's children; sets a watch for their creation or deletion. */
    CompletableFuture<List<String>> readChildren(String path, Watcher watcher) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        zooKeeper.getChildren(
                path,
                watcher,
                (int code, String at, Object context, List<String> names) -> complete(answer, code, at, names),
                null);
        return answer;
    }

    private static Optional<NodeData> data(byte[] bytes, Stat stat) {
        return stat == null
                ? Optional.empty()
                : Optional.of(new NodeData(bytes == null ? new byte[0] : bytes, stat.getVersion()));
    }

    private static <T> void complete(CompletableFuture<T> answer, int code, String path, T value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value);
        } else {
            fail(answer, code, path);
        }
    }

    private static void fail(CompletableFuture<?> answer, int code, String path) {
        answer.completeExceptionally(KeeperException.create(Code.get(code), path));
    }

    /**
     * Waits for an answer.
     *
     * @throws KeeperException what ZooKeeper said instead
     */
    static <T> T await(CompletableFuture<T> answer) throws KeeperException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeeperException) {
                throw (KeeperException) e.getCause();
            }
            throw new CompletionException(e.getCause());
        }
    }
}
