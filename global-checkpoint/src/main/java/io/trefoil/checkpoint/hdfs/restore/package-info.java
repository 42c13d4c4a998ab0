/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What this host does to restore a checkpoint or to undo that, and what would be lost by it (paper §4.3). The plan is made by
 * the rules in {@code checkpoint.restore}.
 *
 * <p>On the thread of the command, while the NameNode of this host is stopped.
 */
package io.trefoil.checkpoint.hdfs.restore;
