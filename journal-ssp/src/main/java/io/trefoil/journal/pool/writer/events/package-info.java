/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The sources of events for a writer's rules, besides its user: nodes and timers on the journal's network thread, the replica in this
 * process on the disk's thread, and a worker that reads entries for lagging nodes.
 */
package io.trefoil.journal.pool.writer.events;
