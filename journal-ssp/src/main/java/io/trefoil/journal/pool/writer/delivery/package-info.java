/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends a writer's requests to the nodes: their entries come from memory or from where they are read, and go to other
 * processes on the transport's thread and to the replica in this process on the disk's thread.
 *
 * <p>Each queue has a lock of its own, so any thread may add and take; one wake-up sends any number of queued requests.
 */
package io.trefoil.journal.pool.writer.delivery;
