/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Checkpoints in a running NameNode: the plugin, its port, what it does to the namesystem, and the calls to the plugins of
 * other NameNodes. Hadoop is used here and in the packages below, and nowhere else.
 *
 * <p>The thread {@code checkpoint-lock} freezes the namesystem, {@code checkpoint-images} looks whether images belong to the line
 * of the journal, and orders arrive on the handlers of the port (paper §4.3, algorithm 3).
 */
package io.trefoil.checkpoint.hdfs;
