/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** How far a writer has come in its term. {@code docs/design/ssp-protocol.md} lists the transitions. */
public enum WriterStage {
    /** Sessions with the nodes are opened. They are asked for nothing: the writer before may still have its lease. */
    MEETING,
    /** The writer asks the nodes for their promises and does not know the log yet. */
    ACQUIRING_EPOCH,
    /** A majority has promised; the writer's first entries are on their way to a majority. */
    RECOVERING,
    /** Everything before this term is committed; batches may be appended. */
    WRITING,
    /** A majority has promised a higher epoch, or was formatted again. Final. */
    FENCED,
    /** The writer ended its term of its own accord. Final. */
    STEPPED_DOWN;

    /** The stages that may follow this one. */
    Set<WriterStage> following() {
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
     * @throws IllegalStateException if that stage never follows this one: the rules have a bug, and must not go on
     */
    public WriterStage to(WriterStage next) {
        if (!following().contains(next)) {
            throw new IllegalStateException(
                    "A writer in stage " + this + " goes on to " + following() + ", not to " + next);
        }
        return next;
    }
}
