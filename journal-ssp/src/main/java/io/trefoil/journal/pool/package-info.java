/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The journal as its users see it, {@link io.trefoil.journal.pool.Journal}, over the nodes of the pool (paper §4.1).
 *
 * <p>Combines the packages below: the process's pool node, its writers and its readers. {@code PoolMembers} knows which
 * nodes to ask, {@code PoolQueryClient} asks them, {@code PoolReader} and {@code PoolCommitWatcher} interpret the answers, and
 * {@code LocalWriters} holds the writer of this process. Callers enter here on their own threads; code with threads of its
 * own is in {@code pool.writer}, {@code pool.server} and {@code pool.disk}.
 */
package io.trefoil.journal.pool;
