/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Questions to the nodes of a pool off the commit path, and which answers to believe: a reader's quorum (rule R6) and
 * the survey of a writer's lease.
 *
 * <p>Answers come on the threads of {@code transport.client}; the caller waits on its own.
 */
package io.trefoil.journal.pool.client;
