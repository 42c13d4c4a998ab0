/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A bare replicator: one local file and two nodes behind sockets; a batch is durable when the local file and one node
 * have it.
 *
 * <p>No protocol: nothing is recovered, fenced, retried or caught up. What it costs is what every replicated journal on
 * these machines costs.
 */
final class DirectReplicas implements BatchSink {
    private final RoundFile local;
    private final List<SocketChannel> nodes = new ArrayList<>();
    private final ByteBuffer header = ByteBuffer.allocateDirect(DirectNode.HEADER_BYTES);
    private long number;
    private volatile long answered;
    private volatile Thread waiter;

    private DirectReplicas(RoundFile local) {
        this.local = local;
    }

    static DirectReplicas connect(Path file, List<Integer> ports) throws IOException {
        DirectReplicas replicas = new DirectReplicas(RoundFile.create(file));
        for (int port : ports) {
            SocketChannel node = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            node.setOption(StandardSocketOptions.TCP_NODELAY, true);
            replicas.nodes.add(node);
            Thread reader = new Thread(() -> replicas.readAnswers(node), "answers-" + port);
            reader.setDaemon(true);
            reader.start();
        }
        return replicas;
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        number++;
        for (SocketChannel node : nodes) {
            header.clear().putLong(number).putInt(batch.remaining()).flip();
            ByteBuffer[] parts = {header, batch.duplicate()};
            while (parts[1].hasRemaining()) {
                node.write(parts);
            }
        }
        local.makeDurable(batch);
        waiter = Thread.currentThread();
        while (answered < number) {
            LockSupport.park(this);
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel node : nodes) {
            node.close();
        }
        local.close();
    }

    private void readAnswers(SocketChannel node) {
        ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
        try {
            while (DirectNode.readFully(node, answer.clear())) {
                answered(answer.flip().getLong());
            }
        } catch (IOException ended) {
            // The writer ends, or the node did: then the writer waits and is ended by who started it.
        }
    }

    private synchronized void answered(long by) {
        if (by > answered) {
            answered = by;
            LockSupport.unpark(waiter);
        }
    }
}
