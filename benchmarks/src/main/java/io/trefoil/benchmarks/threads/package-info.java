/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures which threads of a cluster's processes use its CPU, and how often each of them sleeps: that is, how an operation or a job spends
 * its CPU time. {@link io.trefoil.benchmarks.threads.ClusterThreads} reads, {@link io.trefoil.benchmarks.threads.ThreadTable} adds up and
 * prints.
 */
package io.trefoil.benchmarks.threads;
