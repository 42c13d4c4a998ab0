/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A term of a writer: {@link io.trefoil.journal.pool.writer.term.WriterDriver} steps its rules under the writer's lock; the
 * other classes show any thread how far the term has come, whether it is over, and who waits.
 */
package io.trefoil.journal.pool.writer.term;
