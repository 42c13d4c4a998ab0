/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.foundation.Step;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;

/** The rules of a writer: the real ones, or wrong ones that the invariants must notice. */
public interface WriterRules {

    Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos);
}
