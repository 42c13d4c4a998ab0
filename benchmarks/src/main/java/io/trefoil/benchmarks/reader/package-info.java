/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * JVMs that read a journal like a starting or tailing NameNode: through HDFS's interface, from BookKeeper's ledgers, or from a file.
 * Entry class: {@link io.trefoil.benchmarks.reader.ReaderMain}.
 */
package io.trefoil.benchmarks.reader;
