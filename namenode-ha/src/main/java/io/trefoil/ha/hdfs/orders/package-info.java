/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Operators' orders to NameNodes: to prefer or drain NameNodes in elections ({@code docs/design/sites.md}), and to reread the list of
 * NameNodes ({@code docs/design/mams.md}). {@link io.trefoil.ha.hdfs.orders.ElectionOrders} and {@link
 * io.trefoil.ha.hdfs.orders.GroupOrders} receive them in each NameNode; {@link io.trefoil.ha.hdfs.orders.RemoteElectionOrders} and {@link
 * io.trefoil.ha.hdfs.orders.RemoteGroupOrders} send them.
 */
package io.trefoil.ha.hdfs.orders;
