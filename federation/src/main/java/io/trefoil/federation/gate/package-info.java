/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules by which changes of the namespace wait while a subtree is frozen for a move: {@link
 * io.trefoil.federation.gate.AccessedPaths}, the paths that a call may change; {@link
 * io.trefoil.federation.gate.FrozenSubtrees}, the rules; {@link io.trefoil.federation.gate.Verdict}, their outcome; {@link
 * io.trefoil.federation.gate.MovedDirectories}, the subtrees that were handed over. Pure. See docs/design/subtrees.md.
 */
package io.trefoil.federation.gate;
