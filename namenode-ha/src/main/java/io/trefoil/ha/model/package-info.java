/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The values of a group: its members, the lock, the global view, a failover (paper §3.3). None of them has side
 * effects.
 *
 * <p>Begin with {@link io.trefoil.ha.model.View}.
 */
package io.trefoil.ha.model;
