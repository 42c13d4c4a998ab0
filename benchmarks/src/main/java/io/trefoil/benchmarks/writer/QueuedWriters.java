/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Threads that each queue an edit and wait until it is durable, and one thread that writes queued edits, flushes when
 * the queue is empty, and wakes them: like {@code FSEditLogAsync}, which a NameNode uses unless
 * {@code dfs.namenode.edits.asynclogging} is false.
 */
final class QueuedWriters implements WriterLoad {
    /** The default of {@code dfs.namenode.edits.asynclogging.pending.queue.size}. */
    private static final int QUEUE_SIZE = 4096;

    private final int threadCount;
    private final int editBytes;

    QueuedWriters(int threadCount, int editBytes) {
        this.threadCount = threadCount;
        this.editBytes = editBytes;
    }

    @Override
    public LoadResult run(SharedLog log, long nanos) throws IOException {
        BlockingQueue<QueuedEdit> queue = new ArrayBlockingQueue<>(QUEUE_SIZE);
        try (WriterThreads threads =
                WriterThreads.start(log, threadCount, editBytes, nanos, op -> write(queue, new QueuedEdit(op)))) {
            threads.onEnd(() -> queue.add(QueuedEdit.LAST));
            flush(log, queue);
            return threads.result();
        } catch (InterruptedException e) {
            throw SharedLog.interruptedException(e);
        }
    }

    private static void flush(SharedLog log, BlockingQueue<QueuedEdit> queue) throws IOException, InterruptedException {
        Queue<QueuedEdit> written = new ArrayDeque<>();
        long txId = 0;
        QueuedEdit edit = queue.take();
        while (edit != QueuedEdit.LAST) {
            if (edit == null) {
                log.sync(txId);
                written.forEach(QueuedEdit::markDurable);
                written.clear();
                edit = queue.take();
            } else {
                txId = log.write(edit.op);
                written.add(edit);
                edit = queue.poll();
            }
        }
    }

    private static void write(BlockingQueue<QueuedEdit> queue, QueuedEdit edit) throws InterruptedException {
        queue.put(edit);
        edit.awaitDurable();
    }

    /** An edit in progress, and the thread that waits for it. */
    private static final class QueuedEdit {
        /** The end of the queue. */
        static final QueuedEdit LAST = new QueuedEdit(null);

        final FSEditLogOp op;
        private boolean durable;

        QueuedEdit(FSEditLogOp op) {
            this.op = op;
        }

        synchronized void awaitDurable() throws InterruptedException {
            while (!durable) {
                wait();
            }
        }

        synchronized void markDurable() {
            durable = true;
            notifyAll();
        }
    }
}
