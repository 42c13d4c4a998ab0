/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The progress of a subtree's move: counted by those who do the work, shown and kept every few seconds. */
package io.trefoil.federation.move.progress;
