/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What brings events to the rules of a writer, besides its user: nodes and timers on the journal's network thread, the
 * replica in this process on the disk's thread, and what is read for nodes that are behind on a worker.
 */
package io.trefoil.journal.pool.writer.events;
