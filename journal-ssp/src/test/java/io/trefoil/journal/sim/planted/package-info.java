/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Bugs on purpose, and the hunt for a seed that shows each: an invariant that never fired proves nothing.
 */
package io.trefoil.journal.sim.planted;
