/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.List;

/**
 * A pool node's knowledge of the namespace of the NameNode in its process. If that namespace is void or cannot be
 * loaded, the NameNode ends at each start, and its node with it: as a voter, such a node would make writes wait again
 * and again. Called by any thread.
 */
public interface LocalNamespace {

    /** The case without a NameNode in the process that could terminate the node. */
    LocalNamespace NONE = new LocalNamespace() {
        @Override
        public boolean isInUse() {
            return true;
        }

        @Override
        public boolean mayEnter(Incarnation incarnation) {
            return true;
        }
    };

    /** The NameNode in the process has reported nothing yet. */
    LocalNamespace UNKNOWN = new LocalNamespace() {
        @Override
        public boolean isInUse() {
            return false;
        }

        @Override
        public boolean mayEnter(Incarnation incarnation) {
            return !incarnation.isPromoted();
        }
    };

    /** Whether the NameNode has loaded it and follows or writes the journal: before that, the node does not ask to join. */
    boolean isInUse();

    /**
     * Whether the node may change to an incarnation of the journal: not to a promoted one that the namespace is not known to
     * belong to. May read the disk.
     */
    boolean mayEnter(Incarnation incarnation);

    /**
     * Whether the NameNode in the process may become the writer: not of a journal at whose first read it ends. May read the disk.
     *
     * @param lostRanges the transactions that were lost on the way to that incarnation
     */
    default boolean mayWrite(Incarnation incarnation, List<VoidRange> lostRanges) {
        return mayEnter(incarnation);
    }

    /**
     * A journal is about to be formatted for the namespace: records that it may belong to that incarnation too, so that a format
     * which is repeated because it stopped half-way knows what it replaces.
     *
     * @throws IOException if that cannot be recorded; then nothing may be formatted
     */
    default void expectFormat(Incarnation nextIncarnation) throws IOException {}
}
