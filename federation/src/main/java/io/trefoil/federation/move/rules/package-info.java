/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of a move of a subtree: {@link io.trefoil.federation.move.rules.MoveRules} is a pure function of state and
 * event. The order of its effects is the order in which they become durable. {@code docs/design/subtree-moves.md} has
 * the stages.
 */
package io.trefoil.federation.move.rules;
