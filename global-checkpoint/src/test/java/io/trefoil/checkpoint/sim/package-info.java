/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Checkpoints over a simulated federation: groups that fail over, actives that crash or stand still and come back deposed,
 * messages that are lost, late or doubled, a coordinator that dies; and clients that write an effect in one group only
 * after its cause in another. One seed is one history.
 *
 * <p>Begin with {@link io.trefoil.checkpoint.sim.FederationSimulation}. A group's journal is a list with epochs: the rules
 * below it are checked by the simulator of {@code journal-ssp}.
 */
package io.trefoil.checkpoint.sim;
