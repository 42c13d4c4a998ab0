/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Hadoop's NNThroughputBenchmark in a NameNode of a cluster:
 * {@link io.trefoil.benchmarks.operations.throughput.ThroughputPlugin} is inside, and
 * {@link io.trefoil.benchmarks.operations.throughput.ThroughputPass} asks it from outside.
 */
package io.trefoil.benchmarks.operations.throughput;
