/**
 * What must hold in every simulation, written apart from the code that it judges: one class per rule of the protocol
 * page ({@code docs/design/ssp-protocol.md}, "Rules" and "Lease"). {@link io.trefoil.journal.sim.invariant.Invariants}
 * lists them all.
 */
package io.trefoil.journal.sim.invariant;
