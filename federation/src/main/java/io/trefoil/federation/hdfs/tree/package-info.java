/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What is in a subtree of one nameservice: read in full, or followed by the edits of its NameNode; and what calls of a move have in common. */
package io.trefoil.federation.hdfs.tree;
