/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Moves of subtrees while clients work and the processes that take part are killed. */
package io.trefoil.it.federation.moves;
