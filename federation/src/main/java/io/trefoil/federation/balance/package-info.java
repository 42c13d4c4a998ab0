/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Selects subtrees to move so that no nameservice is overloaded: {@link io.trefoil.federation.balance.Balance},
 * the spread of the load; {@link io.trefoil.federation.balance.BalancePlan}, the moves. Pure. See
 * docs/design/subtree-loads.md.
 */
package io.trefoil.federation.balance;
