/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Holds what would change a subtree that is frozen for a move: {@link io.trefoil.ha.hdfs.subtrees.SubtreeGate} steps the
 * rules of {@code io.trefoil.ha.subtrees}; {@link io.trefoil.ha.hdfs.subtrees.GatedCalls} and {@link
 * io.trefoil.ha.hdfs.subtrees.GatedWeb} bring it the calls of HDFS's RPC and of WebHDFS.
 */
package io.trefoil.ha.hdfs.subtrees;
