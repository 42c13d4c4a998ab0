/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps exactly one active NameNode in each group.
 *
 * <p>A {@code ServicePlugin} inside each NameNode takes the place of the ZKFC daemon: it watches the NameNode's health,
 * campaigns in ZooKeeper, carries a takeover through its stages, and renews a junior until it can be a standby. An
 * election only chooses; what fences the old active is the epoch in the shared storage pool. See section 3.3 and 4.2 of
 * the paper.
 */
package io.trefoil.ha;
