/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage of a node's journal: the port {@link io.trefoil.journal.storage.StorageDevice} with
 * {@link io.trefoil.journal.storage.JournalStorage}. The files behind it are in {@code storage.device}.
 *
 * <p>Called by the one thread that owns the replica, unless documented otherwise.
 */
package io.trefoil.journal.storage;
