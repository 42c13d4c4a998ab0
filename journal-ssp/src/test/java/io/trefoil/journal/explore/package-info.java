/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Small worlds of the journal's rules that ship, to be explored until nothing is left (docs/design/exploration.md). */
package io.trefoil.journal.explore;
