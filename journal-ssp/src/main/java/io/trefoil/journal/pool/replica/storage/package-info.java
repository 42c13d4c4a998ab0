/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage of one replica through its life: opened, failed and reopened, moved aside, closed
 * ({@link io.trefoil.journal.pool.replica.storage.ReplicaStorage}); which thread may change it
 * ({@link io.trefoil.journal.pool.replica.storage.ReplicaLock}); and what other threads see of it meanwhile
 * ({@link io.trefoil.journal.pool.replica.storage.ReplicaView},
 * {@link io.trefoil.journal.pool.replica.storage.CommitSignal}).
 *
 * <p>The thread that has the turn may wait for the disk; all others are answered from the last published view.
 */
package io.trefoil.journal.pool.replica.storage;
