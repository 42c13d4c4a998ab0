/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A small rehearsal of a takeover, on a separate journal in a temporary directory, so that the classes and the code
 * that a process's first takeover needs are loaded and compiled (paper §4.2.2, the time of a failover).
 *
 * <p>Runs on the caller's thread, and on those of the pool node that it starts.
 */
package io.trefoil.journal.pool.warmup;
