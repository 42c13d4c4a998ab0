/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps exactly one active NameNode in each group.
 *
 * <p>A {@code ServicePlugin} inside each NameNode replaces the ZKFC daemon: it watches the NameNode's health, bids in
 * ZooKeeper's elections, takes the NameNode through a takeover, and renews a junior until it can be a standby. An
 * election only chooses; what fences the old active is the epoch in the shared storage pool. See sections 3.3 and 4.2
 * of the paper.
 */
package io.trefoil.ha;
