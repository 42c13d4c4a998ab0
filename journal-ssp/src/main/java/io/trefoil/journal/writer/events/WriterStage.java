/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Describes how far a writer has progressed in its term. {@code docs/design/ssp-protocol.md} lists the transitions. */
public enum WriterStage {
    /** The writer opens sessions with the nodes. They are asked for nothing: the writer before may still have its lease. */
    MEETING,
    /** The writer asks the nodes for their promises and does not know the log yet. */
    ACQUIRING_EPOCH,
    /** A majority has promised; the writer's first entries are in transit to a majority. */
    RECOVERING,
    /** Everything before this term is committed; batches may be appended. */
    WRITING,
    /** A majority has promised a higher epoch, or was formatted again. Final. */
    FENCED,
    /** The writer ended its term of its own accord. Final. */
    STEPPED_DOWN;

    /** The stages that may follow this one. */
    Set<WriterStage> successors() {
        switch (this) {
            case MEETING:
                return EnumSet.of(ACQUIRING_EPOCH, STEPPED_DOWN);
            case ACQUIRING_EPOCH:
                return EnumSet.of(RECOVERING, STEPPED_DOWN);
            case RECOVERING:
                return EnumSet.of(ACQUIRING_EPOCH, WRITING, FENCED, STEPPED_DOWN);
            case WRITING:
                return EnumSet.of(FENCED, STEPPED_DOWN);
            default:
                return Collections.emptySet();
        }
    }

    /**
     * The stage after this one.
     *
     * @throws IllegalStateException if that stage never follows this one: the rules have a bug, and must not continue
     */
    public WriterStage transitionTo(WriterStage next) {
        if (!successors().contains(next)) {
            throw new IllegalStateException(
                    "A writer in stage " + this + " goes on to " + successors() + ", not to " + next);
        }
        return next;
    }
}
