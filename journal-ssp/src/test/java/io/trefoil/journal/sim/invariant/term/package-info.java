/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Invariants of writers and their terms: one writer per epoch, promised by a majority, and alone as long as a lease
 * says ({@code docs/design/ssp-protocol.md}, "Rules" and "Lease").
 */
package io.trefoil.journal.sim.invariant.term;
