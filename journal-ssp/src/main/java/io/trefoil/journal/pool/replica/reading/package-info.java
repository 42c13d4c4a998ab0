/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads a replica's entries: for tailing, for a reader at another node, and for a writer that catches up other nodes
 * (paper §4.2.3). Any thread may read while another changes the replica; readers get committed entries only, the writer
 * gets all entries.
 */
package io.trefoil.journal.pool.replica.reading;
