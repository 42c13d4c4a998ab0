/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Invariants of the log: committed entries stay, agree and have no gap, and an answer is kept. One class per rule of
 * the protocol page ({@code docs/design/ssp-protocol.md}, "Rules"), written independently of the code that it judges.
 */
package io.trefoil.journal.sim.invariant.log;
