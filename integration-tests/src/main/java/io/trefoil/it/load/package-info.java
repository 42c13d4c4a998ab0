/**
 * A load on a file system that keeps a ledger: it records every change with its answer, and afterwards checks
 * that the file system holds exactly what it acknowledged.
 *
 * <p>Entry class: {@link io.trefoil.it.load.Workload}. It records what it did in a
 * {@link io.trefoil.it.load.ledger.ChangeLedger}, and a {@link io.trefoil.it.load.ledger.Verifier} compares that with
 * the file system.
 */
package io.trefoil.it.load;
