/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The move of a subtree to another nameservice: the steps that make one tree equal to another, and the order in which the owner changes.
 * {@link io.trefoil.federation.move.SubtreeMover} is the place to begin. Knows no Hadoop.
 */
package io.trefoil.federation.move;
