/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The global view and the lock in ZooKeeper, through Curator; {@code docs/design/mams.md} describes the nodes and their
 * formats.
 *
 * <p>Begin with {@link io.trefoil.ha.zk.ZkCoordination}. Its thread {@code mams-zk} is the only one that waits for
 * ZooKeeper, and uses one class for each kind of data there: {@link io.trefoil.ha.zk.ViewReader} reads what all members
 * publish, {@link io.trefoil.ha.zk.MemberZnode} publishes this member, {@link io.trefoil.ha.zk.ZkLock} takes and
 * releases the lock, and {@link io.trefoil.ha.zk.ZkHistory} keeps the last failovers.
 */
package io.trefoil.ha.zk;
