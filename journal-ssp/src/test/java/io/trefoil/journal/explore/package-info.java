/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Explores small worlds of the rules that ship, breadth first, until nothing is left (docs/design/exploration.md). {@link
 * io.trefoil.journal.explore.Explorer} knows nothing of the journal; it runs in one thread.
 */
package io.trefoil.journal.explore;
