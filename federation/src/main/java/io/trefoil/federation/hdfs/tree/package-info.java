/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Trees of subtrees in one nameservice: read in full, or followed by the edits of its NameNode; and helpers for the calls of moves. */
package io.trefoil.federation.hdfs.tree;
