/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A term of a writer: {@link io.trefoil.journal.pool.writer.term.WriterDriver} steps its rules under the writer's lock; the
 * other classes show any thread how far the term has progressed, whether it has ended, and which threads are waiting.
 */
package io.trefoil.journal.pool.writer.term;
