/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Planted bugs, and the hunt for a seed that exposes each: an invariant that never fired proves nothing. */
package io.trefoil.journal.sim.planted;
