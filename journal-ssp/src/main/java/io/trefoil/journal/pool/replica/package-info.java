/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver of one node's replica of a journal: carries out what the rules of {@code io.trefoil.journal.replica}
 * decide (paper §4.1.2, the participant's side).
 *
 * <p>Only threads of {@code pool.disk} change the storage; questions are answered from {@link
 * io.trefoil.journal.pool.replica.ReplicaView} and never wait for a disk.
 */
package io.trefoil.journal.pool.replica;
