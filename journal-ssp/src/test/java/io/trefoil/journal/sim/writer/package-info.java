/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Writers and their users, from start to end: {@link io.trefoil.journal.sim.writer.RuledWriter} performs the effects of
 * the rules itself; {@link io.trefoil.journal.sim.writer.DrivenWriter} is the production driver, over frames of the
 * real codec.
 */
package io.trefoil.journal.sim.writer;
