/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs the agent: carries out the decisions of the rules of {@code agent}, through ports to ZooKeeper, the pool and the
 * NameNode. Decides nothing.
 *
 * <p>Begin with {@link io.trefoil.ha.run.AgentRunner}.
 */
package io.trefoil.ha.run;
