/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The journal as its users see it, {@link io.trefoil.journal.pool.Journal}, over the nodes of the pool (paper §4.1).
 *
 * <p>Combines the packages below: the process's pool node, its writers and its readers. {@code PoolMembers} knows whom to
 * ask, {@code PoolQuestions} asks them, {@code PoolReader} and {@code PoolCommits} make something of the answers, and {@code
 * OwnWriter} has the writer of this process. Callers enter here on their own
 * threads; what has its own threads is in {@code pool.writer}, {@code pool.server} and {@code pool.disk}.
 */
package io.trefoil.journal.pool;
