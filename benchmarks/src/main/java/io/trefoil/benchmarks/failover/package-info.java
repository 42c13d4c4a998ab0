/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures how long clients are without an active NameNode, with our agents and with the stock ZKFC, in turn. Entry
 * class: {@link io.trefoil.benchmarks.failover.FailoverBenchmark}.
 */
package io.trefoil.benchmarks.failover;
