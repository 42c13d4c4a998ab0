/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage of one replica through its life: opened, failed and opened again, moved aside, closed ({@link
 * io.trefoil.journal.pool.replica.storage.ReplicaStorage}); whose turn it is to change it ({@link
 * io.trefoil.journal.pool.replica.storage.ReplicaTurn}); and what others are shown of it meanwhile ({@link
 * io.trefoil.journal.pool.replica.storage.ReplicaView}, {@link io.trefoil.journal.pool.replica.storage.CommitSignal}).
 *
 * <p>Who has the turn may wait for the disk; everybody else is answered from what was shown last.
 */
package io.trefoil.journal.pool.replica.storage;
