/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps the mount table of Routers (router-based federation, RBF) in agreement with the table of subtrees. {@code docs/design/subtrees.md}
 * describes it.
 *
 * <p>Begin with {@link io.trefoil.federation.mirror.MirrorPlan}, which is pure; {@link
 * io.trefoil.federation.mirror.TableMirror} carries it out.
 */
package io.trefoil.federation.mirror;
