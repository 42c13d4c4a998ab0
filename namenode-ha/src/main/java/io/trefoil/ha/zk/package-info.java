/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The global view and the lock in ZooKeeper, through Curator; {@code docs/design/mams.md} describes the nodes and their
 * formats.
 *
 * <p>Begin with {@link io.trefoil.ha.zk.ZkCoordination}.
 */
package io.trefoil.ha.zk;
