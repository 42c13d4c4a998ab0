/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The code that runs in a writer's JVM: one journal behind HDFS's own stream, and the loads measured on it.
 *
 * <p>A writer knows nothing of other writers; {@code io.trefoil.benchmarks} tells it on its standard input what to do
 * next.
 */
package io.trefoil.benchmarks.writer;
