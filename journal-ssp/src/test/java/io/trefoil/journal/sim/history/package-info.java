/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What happened: nodes, writers and readers tell {@link io.trefoil.journal.sim.history.Fact}s, {@link
 * io.trefoil.journal.sim.history.SimLedger} knows what follows from those so far, and an {@link
 * io.trefoil.journal.sim.history.Invariant} judges each new one by it.
 */
package io.trefoil.journal.sim.history;
