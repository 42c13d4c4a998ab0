/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.events.WriterEvent;

/**
 * Told what the rules of a writer saw, and what was done for them, each by whoever does it: whoever steps the rules with the same
 * events again knows what had to be done, and when. Thread-safe.
 */
public interface WriterTrace {

    /** Notes nothing. */
    WriterTrace NONE = new WriterTrace() {
        @Override
        public void began(WriterState state, long nowNanos) {}

        @Override
        public void saw(WriterState state, WriterEvent event, long nowNanos) {}

        @Override
        public void sent(NodeAddress to, PoolRequest request) {}

        @Override
        public void ready() {}

        @Override
        public void committed(long sn) {}

        @Override
        public void acknowledged(long sn) {}

        @Override
        public void fenced() {}

        @Override
        public void returned(EntryKind kind, long sn) {}

        @Override
        public void settled(long sn) {}

        @Override
        public void toldLease(long untilNanos) {}

        @Override
        public void toldAlone(long nanos) {}

        @Override
        public void grantedReads(NodeId node, long wantedNanos) {}

        @Override
        public void closed() {}
    };

    /** The rules begin with this state. */
    void began(WriterState state, long nowNanos);

    /** The rules see an event. */
    void saw(WriterState state, WriterEvent event, long nowNanos);

    /** A request is about to leave: the link gets it, or the replica in the writer's process performs it. */
    void sent(NodeAddress to, PoolRequest request);

    /** Appends are about to be let in. */
    void ready();

    /** Whoever waits for commits is about to see this one. */
    void committed(long sn);

    /** Whoever waits for acknowledgements is about to see this one. */
    void acknowledged(long sn);

    /** Whoever waits is about to see that the writer is fenced. */
    void fenced();

    /** An append is about to return to its caller. */
    void returned(EntryKind kind, long sn);

    /** A caller is about to be told that everything up to {@code sn} is committed. */
    void settled(long sn);

    /** Somebody is about to be told that the lease lasts until then. */
    void toldLease(long untilNanos);

    /** Somebody is about to be told that no other process was the writer by then. */
    void toldAlone(long nanos);

    /** An observer that asked at {@code wantedNanos} is about to be told that it may answer reads beside a node. */
    void grantedReads(NodeId node, long wantedNanos);

    /** All requests that were queued when the term ended have left. */
    void closed();
}
