/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The parts that the rules and drivers of all modules share: {@link io.trefoil.foundation.Step}, the result of a rule;
 * {@link io.trefoil.foundation.StageTransitions}, which stage may follow which; {@link io.trefoil.foundation.RuleDriver},
 * which steps rules and has their effects performed; {@link io.trefoil.foundation.LogThread}, which writes the log for
 * threads that must not wait; {@link io.trefoil.foundation.ProcessRunClock}, a clock that stops when the process does; {@link
 * io.trefoil.foundation.DaemonThreads}; {@link io.trefoil.foundation.DurableFiles}, which writes small files; and {@link
 * io.trefoil.foundation.AuditLog}, which records orders.
 */
package io.trefoil.foundation;
