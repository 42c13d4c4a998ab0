/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Asks the nodes of a pool off the commit path, and decides which answers to trust: a reader's quorum (rule R6) and
 * the survey of a writer's lease.
 *
 * <p>Answers arrive on the threads of {@code transport.client}; the caller waits on its own thread.
 */
package io.trefoil.journal.pool.client;
