/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Pool nodes: {@link io.trefoil.journal.sim.node.SimNode} drives a real replica over a simulated disk in the simulation's thread; {@link
 * io.trefoil.journal.sim.node.DrivenNode} gives it a thread of its own for its disk, as in production.
 */
package io.trefoil.journal.sim.node;
