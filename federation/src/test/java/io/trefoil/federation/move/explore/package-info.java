/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The rules of moves in a small world, every state of which is visited (docs/design/exploration.md). */
package io.trefoil.federation.move.explore;
