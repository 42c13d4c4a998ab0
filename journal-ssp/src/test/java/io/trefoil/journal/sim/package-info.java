/**
 * The simulator: whole groups of pool nodes with their writers, users and readers, in one thread, under one seed, over a
 * network, disks and a clock that break as the seed says. {@link io.trefoil.journal.sim.Simulation} runs one seed;
 * {@code bin/simulate} runs many. {@link
 * io.trefoil.journal.sim.DriverMix} puts around the rules what runs in production: {@link io.trefoil.journal.sim.DrivenWriter} and
 * {@link io.trefoil.journal.sim.DrivenNode}, whose threads are {@link io.trefoil.journal.sim.Fibers}. What must hold is in {@link io.trefoil.journal.sim.invariant}.
 */
package io.trefoil.journal.sim;
