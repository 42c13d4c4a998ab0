/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Operators' orders about elections ({@code docs/design/sites.md}): who is preferred, and who is drained. {@link
 * io.trefoil.ha.hdfs.orders.ElectionOrders} takes them in each NameNode, {@link
 * io.trefoil.ha.hdfs.orders.RemoteElectionOrders} sends them.
 */
package io.trefoil.ha.hdfs.orders;
