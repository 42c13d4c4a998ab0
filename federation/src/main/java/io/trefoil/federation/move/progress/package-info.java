/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The progress of a subtree's move: counted by the threads that do the work, shown and stored every few seconds. */
package io.trefoil.federation.move.progress;
