/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.connection.Sockets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The event loops of journals that have writers, one each, on the thread {@code ssp-journal-<id>}: the same thread
 * reads the frames of the journal's writer, syncs the journal's disk and writes the answer, without a hand-off. It may
 * thus block, but only this journal waits for it. Thread-safe.
 */
final class JournalEventLoops {

    private static final int MIN_ARRAY_SIZE = 64 << 10;

    /** Arrays alive for a journal in addition to those that the newest entries keep: the one in use and the next. */
    private static final int ARRAYS_OF_ONE = 2;

    private static final long LOOK_SECONDS = 30;
    private static final long STOP_MILLIS = 2000;

    private final Sockets sockets;
    private final long payloadBytes;
    private final Map<JournalId, JournalLoop> journalLoops = new HashMap<>();

    /** @param payloadBytes the approximate limit for payloads of requests of all journals, not counting what is kept of them */
    JournalEventLoops(Sockets sockets, long payloadBytes) {
        this.sockets = sockets;
        this.payloadBytes = payloadBytes;
    }

    /** The loop that serves a writer of a journal, kept as long as the writer's connection is open. */
    synchronized JournalLoop acquire(JournalId journal, Channel channel) {
        JournalLoop journalLoop = journalLoops.computeIfAbsent(journal, this::open);
        journalLoop.connections++;
        channel.closeFuture().addListener(closed -> release(journal, journalLoop));
        return journalLoop;
    }

    private JournalLoop open(JournalId journal) {
        EventLoopGroup group = sockets.newEventLoop("ssp-journal-" + journal);
        JournalLoop journalLoop = new JournalLoop(group, new PayloadAllocator(this::arraySize));
        journalLoop
                .loop()
                .scheduleWithFixedDelay(
                        journalLoop.allocator::releaseIfIdle, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        return journalLoop;
    }

    /**
     * Ends the loop of a journal without writers: it must keep neither thread nor memory, since any caller can name a journal.
     */
    private synchronized void release(JournalId journal, JournalLoop journalLoop) {
        journalLoop.connections--;
        if (journalLoop.connections == 0) {
            journalLoops.remove(journal, journalLoop);
            journalLoop.group.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized int arraySize() {
        long share = payloadBytes / ARRAYS_OF_ONE / Math.max(1, journalLoops.size());
        return (int) Math.max(MIN_ARRAY_SIZE, Math.min(PayloadAllocator.MAX_ARRAY_SIZE, share));
    }

    synchronized List<EventLoopGroup> all() {
        List<EventLoopGroup> groups = new ArrayList<>();
        journalLoops.values().forEach(journalLoop -> groups.add(journalLoop.group));
        return groups;
    }

    /** The loop of one journal, and the memory that all its writers' payloads share; used on the loop only. */
    static final class JournalLoop {
        private final EventLoopGroup group;
        private final PayloadAllocator allocator;
        private int connections;

        private JournalLoop(EventLoopGroup group, PayloadAllocator allocator) {
            this.group = group;
            this.allocator = allocator;
        }

        EventLoop loop() {
            return group.next();
        }

        PayloadAllocator payloadAllocator() {
            return allocator;
        }
    }
}
