/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations.throughput;

/** The address on which a NameNode's {@link ThroughputPlugin} listens, for its page {@code /jmx}. */
public interface ThroughputMXBean {
    /** A port of the loopback address. */
    int getPort();
}
