/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.trefoil.journal.codec.PayloadRoom;
import io.trefoil.journal.model.JournalId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One event loop for each journal, on the thread {@code ssp-journal-<id>}: it reads the frames of the journal's
 * writer, and the journal's disk is forced and the answer written on the same thread, without a hand-off. It may
 * therefore block, and nothing but this journal waits for it.
 */
final class JournalLoops {

    private static final int MIN_ARRAY_SIZE = 64 << 10;

    /** Arrays of a journal that are alive besides those that the newest entries keep: the one in use and the next. */
    private static final int ARRAYS_OF_ONE = 2;

    private static final long IDLE_SECONDS = 30;

    private final Sockets sockets;
    private final long payloadBytes;
    private final Map<JournalId, EventLoopGroup> loops = new ConcurrentHashMap<>();
    private final Map<JournalId, PayloadRoom> rooms = new ConcurrentHashMap<>();

    /** @param payloadBytes about what the payloads of requests may take for all journals, besides what is kept of them */
    JournalLoops(Sockets sockets, long payloadBytes) {
        this.sockets = sockets;
        this.payloadBytes = payloadBytes;
    }

    EventLoop of(JournalId journal) {
        return loops.computeIfAbsent(journal, id -> sockets.loop("ssp-journal-" + id))
                .next();
    }

    /** Where the payloads of a journal's writers go; for use on its loop. One for all: callers may be many. */
    PayloadRoom roomOf(JournalId journal) {
        return rooms.computeIfAbsent(journal, id -> {
            PayloadRoom room = new PayloadRoom(this::arraySize);
            of(id).scheduleWithFixedDelay(room::giveBackIfIdle, IDLE_SECONDS, IDLE_SECONDS, TimeUnit.SECONDS);
            return room;
        });
    }

    private int arraySize() {
        long share = payloadBytes / ARRAYS_OF_ONE / Math.max(1, rooms.size());
        return (int) Math.max(MIN_ARRAY_SIZE, Math.min(PayloadRoom.MAX_ARRAY_SIZE, share));
    }

    List<EventLoopGroup> all() {
        return new ArrayList<>(loops.values());
    }
}
