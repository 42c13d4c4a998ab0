/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Moves the home of a nameservice, its voters and its active, to another site. {@code docs/design/sites.md} describes it.
 *
 * <p>Begin with {@link io.trefoil.tools.home.HomePlanner}, which is pure; {@link io.trefoil.tools.home.HomeMover} carries it out.
 */
package io.trefoil.tools.home;
