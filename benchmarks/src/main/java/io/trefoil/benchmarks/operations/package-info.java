/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/**
 * Measures what an operation costs through a whole NameNode: clients in a closed loop on a NameNode without high availability,
 * on stock QJM and ZKFC, and on our journal and agents, in turn.
 * {@link io.trefoil.benchmarks.operations.OperationsBenchmark} is the command,
 * {@link io.trefoil.benchmarks.operations.ClientLoad} the clients,
 * {@link io.trefoil.benchmarks.operations.OperationsContender} a cluster; the paper's Figures 8e and 9.
 */
package io.trefoil.benchmarks.operations;
