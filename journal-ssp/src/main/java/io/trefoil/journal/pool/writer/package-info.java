/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver of a journal's writer: carries out what the rules of {@code io.trefoil.journal.writer} decide; batches are
 * committed here (paper §4.1.2, the coordinator's side). {@link io.trefoil.journal.pool.writer.PoolWriter} puts the
 * parts together; {@link io.trefoil.journal.pool.writer.term.WriterDriver} steps the rules under a lock that it alone has.
 *
 * <p>The thread that flushes steps the rules and waits in {@link io.trefoil.journal.pool.writer.term.CommitWaiters}; answers
 * of other nodes arrive on the journal's network thread, those of the replica in this process on the disk's thread.
 */
package io.trefoil.journal.pool.writer;
