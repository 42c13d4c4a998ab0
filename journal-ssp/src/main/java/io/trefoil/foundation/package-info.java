/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the rules and drivers of all modules are built from: {@link io.trefoil.foundation.Step}, the answer of a rule to an
 * event, and {@link io.trefoil.foundation.DaemonThreads}.
 */
package io.trefoil.foundation;
