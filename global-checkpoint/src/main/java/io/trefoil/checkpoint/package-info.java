/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Takes one consistent checkpoint over all groups of a federation.
 *
 * <p>A barrier of one agreed time goes into the journal of every group. A checkpoint holds everything before its barrier
 * and nothing after it, in all groups, or it does not count. See section 4.3 of the paper, and
 * {@code docs/design/global-checkpoint.md}.
 */
package io.trefoil.checkpoint;
