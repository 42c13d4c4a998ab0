/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the rules of an agent hear and want done, and what they are set to: events, effects, and the values in them. Drivers and
 * the simulator see all of it.
 *
 * <p>Pure. Begin with {@link io.trefoil.ha.agent.events.AgentEvent} and {@link io.trefoil.ha.agent.events.AgentEffect}.
 */
package io.trefoil.ha.agent.events;
