/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Operators' orders to NameNodes: who is preferred in elections and who is drained ({@code docs/design/sites.md}), and that they read
 * anew which NameNodes there are ({@code docs/design/mams.md}). {@link io.trefoil.ha.hdfs.orders.ElectionOrders} and {@link
 * io.trefoil.ha.hdfs.orders.GroupOrders} take them in each NameNode, {@link io.trefoil.ha.hdfs.orders.RemoteElectionOrders} and {@link
 * io.trefoil.ha.hdfs.orders.RemoteGroupOrders} send them.
 */
package io.trefoil.ha.hdfs.orders;
