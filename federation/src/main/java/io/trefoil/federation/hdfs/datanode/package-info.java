/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Carries out {@link io.trefoil.federation.datanode.LinkOrder}s inside a stock DataNode: {@link
 * io.trefoil.federation.hdfs.datanode.BlockLinkPlugin} listens on the DataNode's own port, and {@link
 * io.trefoil.federation.hdfs.datanode.LinkClient} calls it. Of the {@code datanode} packages, only this one knows
 * Hadoop.
 */
package io.trefoil.federation.hdfs.datanode;
