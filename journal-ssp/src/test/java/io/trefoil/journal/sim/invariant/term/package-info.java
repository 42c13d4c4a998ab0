/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What must hold of writers and their terms: one per epoch, promised by a majority, and alone for as long as a lease says
 * ({@code docs/design/ssp-protocol.md}, "Rules" and "Lease").
 */
package io.trefoil.journal.sim.invariant.term;
