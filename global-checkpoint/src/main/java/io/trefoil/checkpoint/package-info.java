/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Takes consistent checkpoints of all groups of a federation.
 *
 * <p>A barrier goes into the journal of every group. A checkpoint consists of everything before its barriers and
 * nothing after them, in all groups, or it does not count. See section 4.3 of the paper, and {@code
 * docs/design/global-checkpoint.md}.
 */
package io.trefoil.checkpoint;
