/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

/**
 * Is notified of events on the commit path of one journal. Called by the threads of that path: every method must be
 * quick, and must neither wait nor throw.
 */
public interface JournalObserver {

    /** The observer that ignores everything. */
    JournalObserver NONE = new JournalObserver() {};

    /** The replica in this process made a group of entries durable; the sync alone took {@code nanos}. */
    default void onSynced(long nanos, long entryCount, long payloadBytes) {}

    /** An entry of the writer in this process was committed, {@code nanos} after its user handed it over. */
    default void onCommitted(long nanos, long payloadBytes) {}
}
