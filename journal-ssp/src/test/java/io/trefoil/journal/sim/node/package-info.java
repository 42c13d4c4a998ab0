/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Pool nodes: {@link io.trefoil.journal.sim.node.SimNode} drives a real replica over a simulated disk in the
 * simulation's thread; {@link io.trefoil.journal.sim.node.DrivenNode} gives the replica its own disk thread, as in
 * production.
 */
package io.trefoil.journal.sim.node;
