/**
 * The simulator: whole groups of pool nodes with their writers, users and readers, in one thread, under one seed, over a
 * network, disks and a clock that break as the seed says. {@link io.trefoil.journal.sim.Simulation} runs one seed;
 * {@code bin/simulate} runs many. What must hold is in {@link io.trefoil.journal.sim.invariant}.
 */
package io.trefoil.journal.sim;
