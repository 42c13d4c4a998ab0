/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Which changes of the namespace wait while a subtree is frozen for a move: {@link io.trefoil.ha.subtrees.Change}, what a
 * call may change; {@link io.trefoil.ha.subtrees.Freezes}, the rules; {@link io.trefoil.ha.subtrees.Verdict}, what they
 * say; {@link io.trefoil.ha.subtrees.MovedFolders}, what was given away. Pure. See docs/design/subtrees.md.
 */
package io.trefoil.ha.subtrees;
