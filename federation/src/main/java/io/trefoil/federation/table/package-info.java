/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The table of subtrees, pure: which nameservice owns a path, which changes are allowed, and how a version is written. {@code
 * docs/design/subtrees.md} describes it (paper 5, §3.1 and §4.1).
 *
 * <p>Begin with {@link io.trefoil.federation.table.SubtreeTable}.
 */
package io.trefoil.federation.table;
