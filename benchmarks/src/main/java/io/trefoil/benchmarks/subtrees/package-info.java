/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/**
 * Measures the service that clients of a federation with a table of subtrees get while a nameservice joins and subtrees move.
 * {@link io.trefoil.benchmarks.subtrees.SubtreesBenchmark} is the command,
 * {@link io.trefoil.benchmarks.subtrees.GrowingFederation} the two nameservices,
 * {@link io.trefoil.benchmarks.subtrees.SubtreeClients} the clients, and
 * {@link io.trefoil.benchmarks.subtrees.CallHistory} what these were answered, and when; paper 5, §4.
 */
package io.trefoil.benchmarks.subtrees;
