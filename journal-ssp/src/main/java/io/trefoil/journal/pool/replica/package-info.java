/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver of one node's replica of a journal: carries out what the rules of {@code io.trefoil.journal.replica}
 * decide (paper §4.1.2, the participant's side).
 *
 * <p>The thread that has the turn changes the storage and may wait for its disk; questions are answered from
 * {@link io.trefoil.journal.pool.replica.storage.ReplicaView} and never wait for a disk.
 */
package io.trefoil.journal.pool.replica;
