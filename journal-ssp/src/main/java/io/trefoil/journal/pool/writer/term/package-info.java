/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * One term of a writer: {@link io.trefoil.journal.pool.writer.term.WriterDriver} steps its rules under the writer's
 * monitor; the others are what threads see that do not hold it, how far the term has come, whether it is over, and who waits.
 */
package io.trefoil.journal.pool.writer.term;
