/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The words of the group: its members, the lock, the global view, a failover (paper §3.3). Values without behaviour that
 * touches anything.
 *
 * <p>Begin with {@link io.trefoil.ha.model.View}.
 */
package io.trefoil.ha.model;
