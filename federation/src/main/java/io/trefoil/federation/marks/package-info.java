/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The contract between the command that moves subtrees and the NameNodes: {@link
 * io.trefoil.federation.marks.FrozenMark}, by which a NameNode recognizes that a subtree is frozen; {@link
 * io.trefoil.federation.marks.MovedMark}, which names the present owner of a subtree; {@link
 * io.trefoil.federation.marks.SubtreeCaller}, by which a NameNode recognizes the command's own calls. {@link
 * io.trefoil.federation.marks.NormalizedPath} is for all code that normalizes or compares paths. See
 * docs/design/subtrees.md.
 */
package io.trefoil.federation.marks;
