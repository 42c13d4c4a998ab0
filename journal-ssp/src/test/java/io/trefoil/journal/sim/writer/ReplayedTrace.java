/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.WriterReplay;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.List;

/** Replays what a simulated driver does for the rules at once: a driver that does something else fails where it does it. */
final class ReplayedTrace implements WriterTrace {

    private final WriterReplay replay = new WriterReplay();

    @Override
    public void recordStart(WriterState state, long nowNanos) {
        replay.began(state.settings(), nowNanos);
    }

    @Override
    public void recordEvent(WriterState state, WriterEvent event, long nowNanos) {
        replay.saw(state.digest(), event, nowNanos);
    }

    @Override
    public void recordSent(NodeAddress to, PoolRequest request) {
        if (request instanceof AppendRequest append) {
            List<Entry> entries = append.entries();
            LogPosition last = entries.isEmpty()
                    ? append.prev()
                    : entries.get(entries.size() - 1).position();
            replay.sentEntries(to, append, last, entries.size());
        } else {
            replay.sent(to, request);
        }
    }

    @Override
    public void recordReady() {
        replay.ready();
    }

    @Override
    public void recordCommitted(long sn) {
        replay.committed(sn);
    }

    @Override
    public void recordAcknowledged(long sn) {
        replay.acknowledged(sn);
    }

    @Override
    public void recordFenced() {
        replay.fenced();
    }

    @Override
    public void recordReturned(EntryKind kind, long sn) {
        replay.returned(kind == EntryKind.EDITS, sn);
    }

    @Override
    public void recordAllCommitted(long sn) {
        replay.settled(sn);
    }

    @Override
    public void recordReportedLease(long untilNanos) {
        replay.toldLease(untilNanos);
    }

    @Override
    public void recordReportedSoleWriter(long nanos) {
        replay.toldAlone(nanos);
    }

    @Override
    public void recordGrantedReads(NodeId node, long wantedNanos) {
        replay.grantedReads(node, wantedNanos);
    }

    @Override
    public void recordClosed() {
        replay.closed();
    }
}
