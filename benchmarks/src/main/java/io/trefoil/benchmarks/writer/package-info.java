/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What runs in the JVM of a writer: one journal behind HDFS's own stream, and the loads that are measured on it.
 *
 * <p>A writer knows nothing of the others; {@code io.trefoil.benchmarks} tells it on its standard input what to do next.
 */
package io.trefoil.benchmarks.writer;
