/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The load of a NameNode by subtree: {@link io.trefoil.federation.hdfs.load.SubtreeLoadLogger}, to which HDFS reports each call, and which
 * JMX queries; {@link io.trefoil.federation.hdfs.load.LoadCollector}, the calls of the last minutes; {@link
 * io.trefoil.federation.hdfs.load.CallCounts}, the sketch that keeps the heaviest subtrees. See docs/design/subtree-loads.md.
 */
package io.trefoil.federation.hdfs.load;
