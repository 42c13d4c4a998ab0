/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What must hold of the nodes of a pool: who may vote, and that storage which was retired, damaged or is a stranger's does not
 * ({@code docs/design/ssp-protocol.md}, "Rules").
 */
package io.trefoil.journal.sim.invariant.member;
