/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Reading a replica's entries: for tailing, for a reader at another node, and for a writer that catches up others (paper
 * §4.2.3). By any thread, beside whoever changes the replica; readers are given what is committed, the writer all there is.
 */
package io.trefoil.journal.pool.replica.reading;
