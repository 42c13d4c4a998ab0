/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** How far a move of a subtree is: counted by those who do the work, shown and kept every few seconds. */
package io.trefoil.federation.move.progress;
