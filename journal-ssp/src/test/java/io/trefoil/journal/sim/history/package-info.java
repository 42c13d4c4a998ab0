/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The history of a run: nodes, writers and readers report {@link io.trefoil.journal.sim.history.Fact}s,
 * {@link io.trefoil.journal.sim.history.SimLedger} knows what follows from those so far, and an
 * {@link io.trefoil.journal.sim.history.Invariant} judges each new fact by it.
 */
package io.trefoil.journal.sim.history;
