/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Hadoop's NNThroughputBenchmark in a NameNode of a cluster: {@link io.trefoil.benchmarks.operations.throughput.ThroughputPlugin} runs
 * inside, and {@link io.trefoil.benchmarks.operations.throughput.ThroughputPass} calls it from outside.
 */
package io.trefoil.benchmarks.operations.throughput;
