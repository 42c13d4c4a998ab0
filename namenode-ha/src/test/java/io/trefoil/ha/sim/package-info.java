/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The agents of a group in a simulated world: ZooKeeper with sessions, ephemerals and late watches; a pool with promises,
 * epochs and leases; NameNodes that crash, stand still, fall ill, lag and lose their links. One seed is one history.
 *
 * <p>Begin with {@link io.trefoil.ha.sim.GroupSimulation}. The pool is a simple model of the rules that the simulator of
 * {@code journal-ssp} checks in full.
 */
package io.trefoil.ha.sim;
