/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The simulator: a whole pool with its writers, users and readers, in one thread, under one seed, over a network, disks
 * and clocks that fail as the seed says. {@link io.trefoil.journal.sim.Simulation} runs one seed:
 * {@link io.trefoil.journal.sim.Nemesis} injects faults, then {@link io.trefoil.journal.sim.Healing} makes a majority
 * whole and demands progress. {@code bin/simulate} runs many seeds.
 *
 * <p>The packages below it are, from the bottom: {@code history}, {@code plan}, {@code world}, {@code disk},
 * {@code node} and {@code writer}; above it are {@code planted} and {@code scenario}. The invariants are in
 * {@code invariant}.
 */
package io.trefoil.journal.sim;
