/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of one pool node: what it promises, accepts, truncates and refuses.
 *
 * <p>Pure. Begin with {@link io.trefoil.journal.replica.Replica}; the drivers are in {@code pool} and in the
 * simulator (paper §4.1.2, the participant's side).
 */
package io.trefoil.journal.replica;
