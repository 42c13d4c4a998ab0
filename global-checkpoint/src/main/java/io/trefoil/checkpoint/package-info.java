/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Takes consistent checkpoints of all groups of a federation.
 *
 * <p>Every group's journal gets a barrier. A checkpoint is everything before its barriers and nothing after them; it
 * counts only if all groups have theirs. See section 4.3 of the paper, and {@code docs/design/global-checkpoint.md}.
 */
package io.trefoil.checkpoint;
