/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.events.WriterEvent;

/**
 * Records the events that the rules of a writer got, and the effects performed for them, each by the code that performs it: replaying the
 * same events through the rules shows what had to be done, and when. Thread-safe.
 */
public interface WriterTrace {

    /** The trace that records nothing. */
    WriterTrace NONE = new WriterTrace() {
        @Override
        public void recordStart(WriterState state, long nowNanos) {}

        @Override
        public void recordEvent(WriterState state, WriterEvent event, long nowNanos) {}

        @Override
        public void recordSent(NodeAddress to, PoolRequest request) {}

        @Override
        public void recordReady() {}

        @Override
        public void recordCommitted(long sn) {}

        @Override
        public void recordAcknowledged(long sn) {}

        @Override
        public void recordFenced() {}

        @Override
        public void recordReturned(EntryKind kind, long sn) {}

        @Override
        public void recordAllCommitted(long sn) {}

        @Override
        public void recordReportedLease(long untilNanos) {}

        @Override
        public void recordReportedSoleWriter(long nanos) {}

        @Override
        public void recordGrantedReads(NodeId node, long wantedNanos) {}

        @Override
        public void recordClosed() {}
    };

    /** The rules begin with this state. */
    void recordStart(WriterState state, long nowNanos);

    /** The rules see an event. */
    void recordEvent(WriterState state, WriterEvent event, long nowNanos);

    /** A request is about to leave: the link gets it, or the replica in the writer's process performs it. */
    void recordSent(NodeAddress to, PoolRequest request);

    /** Appends are about to be accepted. */
    void recordReady();

    /** Callers waiting for commits are about to see this one. */
    void recordCommitted(long sn);

    /** Callers waiting for acknowledgements are about to see this one. */
    void recordAcknowledged(long sn);

    /** Waiting callers are about to see that the writer is fenced. */
    void recordFenced();

    /** An append is about to return to its caller. */
    void recordReturned(EntryKind kind, long sn);

    /** A caller is about to learn that everything up to {@code sn} is committed. */
    void recordAllCommitted(long sn);

    /** A caller is about to learn that the lease lasts until a given time. */
    void recordReportedLease(long untilNanos);

    /** A caller is about to learn that no other process had become the writer by a given time. */
    void recordReportedSoleWriter(long nanos);

    /** An observer that asked at {@code wantedNanos} is about to learn that it may answer reads next to a node. */
    void recordGrantedReads(NodeId node, long wantedNanos);

    /** All requests that were queued when the term ended have left. */
    void recordClosed();
}
