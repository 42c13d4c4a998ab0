/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;

/** What a participant wants done. Dispatched by a {@link Handler}. */
public abstract class ParticipantEffect {

    private ParticipantEffect() {}

    /** Has a driver carry it out. */
    public abstract <R> R performedBy(Handler<R> handler);

    /** One method per effect. */
    public interface Handler<R> {

        /** Chooses and keeps an image, then takes the lock; {@code locked} or {@code notLocked} follows. */
        R lock(FreezeOrder order);

        /** Waits for the lock no longer; {@code locked} or {@code notLocked} still follows. */
        R giveUp();

        /**
         * Makes everything so far durable, ends the segment and lets go of the lock; {@code cut} or {@code notCut} follows,
         * when the lock is free.
         */
        R cut(FreezeOrder order);

        /** Lets go of the lock. */
        R unlock(FreezeOrder order);

        /** Commits a barrier; {@code marked} or {@code notMarked} follows. */
        R mark(Manifest manifest);

        /**
         * Takes back what there may be of a checkpoint: its barrier, its snapshot, its image; {@code unmarked} or
         * {@code notUnmarked} follows. To be answered with yes only by who could still write to the journal after it looked.
         */
        R unmark(CheckpointId id);

        R answerFrozen(long request, Grant grant);

        R answerCut(long request, Cut cut);

        R answerAbandoned(long request, CheckpointId id);

        R refuse(long request, String why);
    }

    static ParticipantEffect lock(FreezeOrder order) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.lock(order);
            }
        };
    }

    static ParticipantEffect giveUp() {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.giveUp();
            }
        };
    }

    static ParticipantEffect cut(FreezeOrder order) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.cut(order);
            }
        };
    }

    static ParticipantEffect unlock(FreezeOrder order) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.unlock(order);
            }
        };
    }

    static ParticipantEffect mark(Manifest manifest) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.mark(manifest);
            }
        };
    }

    static ParticipantEffect unmark(CheckpointId id) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.unmark(id);
            }
        };
    }

    static ParticipantEffect answerFrozen(long request, Grant grant) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.answerFrozen(request, grant);
            }
        };
    }

    static ParticipantEffect answerCut(long request, Cut cut) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.answerCut(request, cut);
            }
        };
    }

    static ParticipantEffect answerAbandoned(long request, CheckpointId id) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.answerAbandoned(request, id);
            }
        };
    }

    static ParticipantEffect refuse(long request, String why) {
        return new ParticipantEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.refuse(request, why);
            }
        };
    }
}
