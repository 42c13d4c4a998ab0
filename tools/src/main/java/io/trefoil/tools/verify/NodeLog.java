/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PurgedReply;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;

/**
 * A single node's committed log. It is read in parts, from its first entry on, so that a log of any length takes the
 * same memory. Checks each entry against the one before it on the same node. Not thread-safe.
 */
final class NodeLog {

    /** The number of bytes to fetch at a time, which is the most that a node returns. */
    static final int FETCH_BYTES = 4 << 20;

    private final NodeAddress address;
    private final PoolAdminClient adminClient;
    private final long lastSn;
    private Iterator<Entry> fetched = Collections.emptyIterator();
    private LogSummary before;
    private long firstSn;
    private long checkedEntries;
    private Optional<String> trouble = Optional.empty();
    private boolean unreadable;

    /** @param lastSn where to stop: what the node knew to be committed when it was asked for its status */
    NodeLog(NodeAddress address, PoolAdminClient adminClient, long lastSn) {
        this.address = address;
        this.adminClient = adminClient;
        this.lastSn = lastSn;
        this.before = LogSummary.ORIGIN;
        this.firstSn = 1;
    }

    NodeAddress address() {
        return address;
    }

    /** The first entry that the node keeps, as far as known from reading. */
    long firstSn() {
        return firstSn;
    }

    /** The serial number of the entry that {@link #next} returns, or would return. */
    long nextSn() {
        return before.position().sn() + 1;
    }

    long checkedEntries() {
        return checkedEntries;
    }

    /** The number of entries in the log, as far as known. */
    long entriesToCheck() {
        return Math.max(0, lastSn - firstSn + 1);
    }

    /** The last transaction that was read. */
    long lastTxId() {
        return before.lastTxId();
    }

    /** The first problem in this log itself; nothing after it is read. */
    Optional<String> firstDamage() {
        return trouble;
    }

    /** Whether the node reported that it cannot read its own log, upon which it reopens and repairs its storage. */
    boolean isUnreadable() {
        return unreadable;
    }

    /** Whether there is more to read. */
    boolean hasMore() {
        return !trouble.isPresent() && nextSn() <= lastSn;
    }

    /**
     * Fetches the next entry, so that {@link #nextSn} is correct even if the node has purged entries.
     *
     * @throws IOException if the calling thread was interrupted
     */
    void prepare() throws IOException {
        while (hasMore() && !fetched.hasNext()) {
            NodeAnswer answer = adminClient
                    .query(Collections.singleton(address), FetchRequest.of(nextSn(), FETCH_BYTES, Epoch.NONE))
                    .get(address);
            if (!answer.reply().isPresent()) {
                stopReading("cannot be read from entry " + nextSn() + " on: " + answer.failureReason());
            } else {
                receive(answer.reply().get());
            }
        }
    }

    private void receive(PoolReply reply) {
        if (reply instanceof EntriesReply) {
            EntriesReply entries = (EntriesReply) reply;
            if (entries.entries().isEmpty()) {
                stopReading("gives no entry " + nextSn() + ", but said that it has committed " + lastSn);
            }
            fetched = entries.entries().iterator();
        } else if (reply instanceof PurgedReply) {
            LogSummary base = ((PurgedReply) reply).base();
            if (base.position().sn() < nextSn()) {
                stopReading("says that entry " + nextSn() + " is purged, and that it keeps everything after "
                        + base.position());
                return;
            }
            before = base;
            firstSn = checkedEntries == 0 ? nextSn() : firstSn;
        } else {
            unreadable = reply instanceof FailedReply;
            stopReading("cannot be read from entry " + nextSn() + " on: " + reply.describe());
        }
    }

    /** The entry that {@link #prepare} fetched; empty if it does not follow the previous one. */
    Optional<Entry> next() {
        Entry entry = fetched.next();
        Optional<String> wrong = findContradiction(entry);
        if (wrong.isPresent()) {
            stopReading(wrong.get());
            return Optional.empty();
        }
        checkedEntries++;
        return Optional.of(entry);
    }

    private Optional<String> findContradiction(Entry entry) {
        if (entry.sn() != nextSn()) {
            return Optional.of("gives " + entry + " where entry " + nextSn() + " should be");
        }
        if (entry.epoch().isBelow(before.position().epoch())) {
            return Optional.of("has " + entry + " after an entry of epoch "
                    + before.position().epoch());
        }
        Optional<String> gap = findGap(entry);
        if (gap.isPresent()) {
            return gap;
        }
        try {
            before = before.plus(entry);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("has " + entry + ", whose content makes no sense: " + e.getMessage());
        }
    }

    /** The gap or overlap in the transaction ids; empty if there is none. The first segment of a journal may begin anywhere. */
    private Optional<String> findGap(Entry entry) {
        switch (entry.kind()) {
            case SEGMENT_START:
                boolean follows = before.lastTxId() == 0 || entry.txIds().first() == before.lastTxId() + 1;
                return follows ? Optional.<String>empty() : Optional.of(outOfOrderText(entry));
            case EDITS:
                boolean inOrder = before.lastTxId() == 0
                        ? before.openSegment().equals(Optional.of(entry.txIds().first()))
                        : entry.txIds().first() == before.lastTxId() + 1;
                return inOrder ? Optional.<String>empty() : Optional.of(outOfOrderText(entry));
            default:
                return Optional.empty();
        }
    }

    private String outOfOrderText(Entry entry) {
        return "has " + entry + " after transaction " + before.lastTxId();
    }

    private void stopReading(String reason) {
        trouble = Optional.of(reason);
    }
}
