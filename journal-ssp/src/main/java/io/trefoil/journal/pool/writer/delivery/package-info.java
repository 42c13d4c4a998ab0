/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * How what a writer sends reaches the nodes: from its memory or from where it is read, to other processes on the
 * transport's thread and to the replica in its own on the disk's.
 *
 * <p>What is queued here is guarded by the writer's monitor, and leaves with one wake-up for any number of requests.
 */
package io.trefoil.journal.pool.writer.delivery;
