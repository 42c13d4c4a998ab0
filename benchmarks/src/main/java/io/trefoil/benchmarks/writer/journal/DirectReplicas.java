/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A bare replicator: one local file and some nodes behind sockets; a batch is durable when a majority of these files,
 * including the local one, has it.
 *
 * <p>No protocol: nothing is recovered, fenced, retried or caught up. Every replicated journal on these machines costs
 * at least this much.
 */
public final class DirectReplicas implements BatchSink {
    private final CircularFile local;
    private final int needed;
    private final List<SocketChannel> nodes = new ArrayList<>();
    private final ByteBuffer header = ByteBuffer.allocateDirect(DirectNode.HEADER_BYTES);
    private long number;
    private final long[] answeredBy;
    private volatile long answered;
    private volatile Thread waiter;

    private DirectReplicas(CircularFile local, int nodeCount, AnswerPolicy policy) {
        this.local = local;
        this.needed = policy.requiredAnswers(nodeCount);
        this.answeredBy = new long[nodeCount];
    }

    public static DirectReplicas connect(Path file, Durability durability, AnswerPolicy policy, List<Integer> ports)
            throws IOException {
        DirectReplicas replicas = new DirectReplicas(CircularFile.create(file, durability), ports.size(), policy);
        for (int port : ports) {
            SocketChannel node = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            node.setOption(StandardSocketOptions.TCP_NODELAY, true);
            int index = replicas.nodes.size();
            replicas.nodes.add(node);
            Thread reader = new Thread(() -> replicas.readAnswers(node, index), "answers-" + port);
            reader.setDaemon(true);
            reader.start();
        }
        return replicas;
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        send(batch);
        local.makeDurable(batch);
        waiter = Thread.currentThread();
        while (needed > 0 && answered < number) {
            LockSupport.park(this);
        }
    }

    /** Sends without waiting for answers; the next batch follows this one. */
    void send(ByteBuffer batch) throws IOException {
        number++;
        for (SocketChannel node : nodes) {
            header.clear().putLong(number).putInt(batch.remaining()).flip();
            ByteBuffer[] parts = {header, batch.duplicate()};
            while (parts[1].hasRemaining()) {
                node.write(parts);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel node : nodes) {
            node.close();
        }
        local.close();
    }

    private void readAnswers(SocketChannel node, int index) {
        ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
        try {
            while (DirectNode.readFully(node, answer.clear())) {
                recordAnswer(index, answer.flip().getLong());
            }
        } catch (IOException ended) {
            // The writer or the node ended. If it was the node, the writer waits, and the process that started the
            // writer ends it.
        }
    }

    private synchronized void recordAnswer(int index, long by) {
        answeredBy[index] = by;
        if (needed == 0) {
            return;
        }
        long[] sorted = answeredBy.clone();
        Arrays.sort(sorted);
        long ofMajority = sorted[sorted.length - needed];
        if (ofMajority > answered) {
            answered = ofMajority;
            LockSupport.unpark(waiter);
        }
    }
}
