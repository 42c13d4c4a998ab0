/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Checkpoints in a running NameNode: the plugin, its port, its effects on the namesystem, and the calls to the plugins of other NameNodes.
 * Only this package and those below it use Hadoop.
 *
 * <p>The thread {@code checkpoint-lock} freezes the namesystem, {@code checkpoint-images} checks whether images belong to the timeline of the
 * journal, and the port's handlers receive orders (paper §4.3, algorithm 3).
 */
package io.trefoil.checkpoint.hdfs;
