/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The global view and the lock in ZooKeeper, through Curator: what there is and how it is written stands in
 * {@code docs/design/mams.md}.
 *
 * <p>Begin with {@link io.trefoil.ha.zk.ZkCoordination}.
 */
package io.trefoil.ha.zk;
