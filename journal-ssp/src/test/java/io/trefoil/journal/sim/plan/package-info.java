/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The inputs of a run: how much goes wrong ({@link io.trefoil.journal.sim.plan.FaultMix}), the rules, right or wrong
 * ({@link io.trefoil.journal.sim.plan.Rules}), whether the production drivers run them
 * ({@link io.trefoil.journal.sim.plan.DriverMix}), and the invariants that must hold.
 */
package io.trefoil.journal.sim.plan;
