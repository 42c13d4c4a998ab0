/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Invariants of the nodes of a pool: who may vote, and that retired, damaged and foreign storage does not
 * ({@code docs/design/ssp-protocol.md}, "Rules").
 */
package io.trefoil.journal.sim.invariant.member;
