/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Which threads of a cluster's processes use its CPU, and how often each of them sleeps: where an operation's, or a job's, CPU
 * goes. {@link io.trefoil.benchmarks.threads.ClusterThreads} reads, {@link io.trefoil.benchmarks.threads.ThreadTable} adds up and prints.
 */
package io.trefoil.benchmarks.threads;
