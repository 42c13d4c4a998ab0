/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What a writer knows of each node: how far its log is the same, whether it is in sync, and how often it was too slow (paper
 * §4.1.2, §4.2.3); what a majority of them has; and what may be sent to those that are behind.
 *
 * <p>Pure; used by the rules in {@code writer} alone.
 */
package io.trefoil.journal.writer.peer;
