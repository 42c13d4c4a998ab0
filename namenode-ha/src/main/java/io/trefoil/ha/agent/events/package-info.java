/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The input, output and settings of an agent's rules: events, effects, and the values they contain. Drivers and the
 * simulator see all of it.
 *
 * <p>Pure. Begin with {@link io.trefoil.ha.agent.events.AgentEvent} and {@link io.trefoil.ha.agent.events.AgentEffect}.
 */
package io.trefoil.ha.agent.events;
