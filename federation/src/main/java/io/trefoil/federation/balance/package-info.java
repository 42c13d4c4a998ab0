/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Which subtrees to move so that no nameservice has too much to do: {@link io.trefoil.federation.balance.Balance}, how
 * the load is spread; {@link io.trefoil.federation.balance.BalancePlan}, the moves. Pure. See
 * docs/design/subtree-loads.md.
 */
package io.trefoil.federation.balance;
