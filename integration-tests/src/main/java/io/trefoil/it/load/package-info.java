/**
 * Load for a file system, with a memory: every change is noted with the answer that it got, and afterwards it is checked
 * that the file system holds exactly what it acknowledged.
 *
 * <p>Entry class: {@link io.trefoil.it.load.Workload}; what it did is in a {@link io.trefoil.it.load.ledger.ChangeLedger}, which a
 * {@link io.trefoil.it.load.ledger.Verifier} holds against the file system.
 */
package io.trefoil.it.load;
