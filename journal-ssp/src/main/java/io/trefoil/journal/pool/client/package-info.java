/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Questions to the nodes of a pool off the commit path, and whom to believe of those that answer: a reader's quorum
 * (rule R6) and the survey of a writer's lease.
 *
 * <p>Answers come on the threads of {@code transport.client}; the one who asked waits on its own.
 */
package io.trefoil.journal.pool.client;
