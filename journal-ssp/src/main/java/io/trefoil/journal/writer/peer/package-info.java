/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A writer's knowledge of each node: how far its log matches the writer's, whether it is in sync, and how often it was
 * too slow (paper §4.1.2, §4.2.3); what a majority of the nodes has; and what may be sent to lagging ones.
 *
 * <p>Pure; used by the rules in {@code writer} alone.
 */
package io.trefoil.journal.writer.peer;
