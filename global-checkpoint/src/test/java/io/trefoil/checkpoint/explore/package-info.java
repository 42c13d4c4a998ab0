/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The rules of checkpoints in a small world, every state of which is visited (docs/design/exploration.md). */
package io.trefoil.checkpoint.explore;
