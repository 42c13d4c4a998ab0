/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The world around the simulated processes: one clock and one order of events
 * ({@link io.trefoil.journal.sim.world.World}), machines that pause and die, a network that loses, duplicates and
 * delays messages, and {@link io.trefoil.journal.sim.world.Fibers}, which are threads that run one at a time. Nothing
 * here knows the journal.
 */
package io.trefoil.journal.sim.world;
