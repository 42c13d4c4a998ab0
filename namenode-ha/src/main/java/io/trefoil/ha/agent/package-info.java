/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of one NameNode's agent: when it bids, takes over, steps down, or terminates its process (paper §4.2.1, §4.2.2).
 *
 * <p>Pure. Begin with {@link io.trefoil.ha.agent.Agent}; the drivers are in {@code run} and in the simulator.
 */
package io.trefoil.ha.agent;
