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

/**
 * One event loop for each journal, on the thread {@code ssp-journal-<id>}: it reads the frames of the journal's
 * writer, and the journal's disk is forced and the answer written on the same thread, without a hand-off. It may
 * therefore block, and nothing but this journal waits for it.
 */
final class JournalLoops {

    private final Sockets sockets;
    private final Map<JournalId, EventLoopGroup> loops = new ConcurrentHashMap<>();
    private final Map<JournalId, PayloadRoom> rooms = new ConcurrentHashMap<>();

    JournalLoops(Sockets sockets) {
        this.sockets = sockets;
    }

    EventLoop of(JournalId journal) {
        return loops.computeIfAbsent(journal, id -> sockets.loop("ssp-journal-" + id))
                .next();
    }

    /** Where the payloads of a journal's writers go; for use on its loop. One for all: callers may be many. */
    PayloadRoom roomOf(JournalId journal) {
        return rooms.computeIfAbsent(journal, id -> new PayloadRoom());
    }

    List<EventLoopGroup> all() {
        return new ArrayList<>(loops.values());
    }
}
