/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A node of the pool at work, and the journal as its users see it: {@link io.trefoil.journal.pool.Journal}.
 *
 * <p>Here are the threads and the drivers that carry out what the pure rules of {@code replica} and
 * {@code writer} decide (paper §4.1.2).
 */
package io.trefoil.journal.pool;
