/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;

/** Something that a participant wants done. A value; dispatched by a {@link Handler}. */
public abstract class ParticipantEffect {

    private ParticipantEffect() {}

    /**
     * Has a driver carry it out.
     *
     * @throws X if the handler throws it
     */
    public abstract <X extends Exception> void performedBy(Handler<X> handler) throws X;

    /** One method per effect. */
    public interface Handler<X extends Exception> {

        /** Chooses and keeps an image, then takes the lock; {@code locked} or {@code notLocked} follows. */
        void lock(FreezeOrder order) throws X;

        /** Stops waiting for the lock; {@code locked} or {@code notLocked} still follows. */
        void giveUp() throws X;

        /**
         * Makes everything so far durable, ends the segment and releases the lock; {@code cut} or {@code notCut} follows, when the lock is
         * free.
         */
        void cut(FreezeOrder order) throws X;

        /** Releases the lock. */
        void unlock(FreezeOrder order) throws X;

        /** Commits a barrier; {@code marked} or {@code notMarked} follows. */
        void mark(Manifest manifest) throws X;

        /**
         * Removes whatever exists of a checkpoint: its barrier, its snapshot, its image; {@code unmarked} or {@code notUnmarked} follows.
         * Only a NameNode that could still write to the journal after it looked may answer {@code unmarked}.
         */
        void unmark(CheckpointId id) throws X;

        void answerFrozen(long request, Grant grant) throws X;

        void answerCut(long request, Cut cut) throws X;

        void answerAbandoned(long request, CheckpointId id) throws X;

        void refuse(long request, String why) throws X;
    }

    static ParticipantEffect lock(FreezeOrder order) {
        return new AutoValue_ParticipantEffect_LockNamesystem(order);
    }

    static ParticipantEffect giveUp() {
        return new AutoValue_ParticipantEffect_GiveUpLock();
    }

    static ParticipantEffect cut(FreezeOrder order) {
        return new AutoValue_ParticipantEffect_CutSegment(order);
    }

    static ParticipantEffect unlock(FreezeOrder order) {
        return new AutoValue_ParticipantEffect_UnlockNamesystem(order);
    }

    static ParticipantEffect mark(Manifest manifest) {
        return new AutoValue_ParticipantEffect_MarkBarrier(manifest);
    }

    static ParticipantEffect unmark(CheckpointId id) {
        return new AutoValue_ParticipantEffect_UnmarkBarrier(id);
    }

    static ParticipantEffect answerFrozen(long request, Grant grant) {
        return new AutoValue_ParticipantEffect_AnswerFrozen(request, grant);
    }

    static ParticipantEffect answerCut(long request, Cut cut) {
        return new AutoValue_ParticipantEffect_AnswerCut(request, cut);
    }

    static ParticipantEffect answerAbandoned(long request, CheckpointId id) {
        return new AutoValue_ParticipantEffect_AnswerAbandoned(request, id);
    }

    static ParticipantEffect refuse(long request, String why) {
        return new AutoValue_ParticipantEffect_RefuseOrder(request, why);
    }

    @AutoValue
    abstract static class LockNamesystem extends ParticipantEffect {

        abstract FreezeOrder order();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.lock(order());
        }
    }

    @AutoValue
    abstract static class GiveUpLock extends ParticipantEffect {

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.giveUp();
        }
    }

    @AutoValue
    abstract static class CutSegment extends ParticipantEffect {

        abstract FreezeOrder order();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.cut(order());
        }
    }

    @AutoValue
    abstract static class UnlockNamesystem extends ParticipantEffect {

        abstract FreezeOrder order();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.unlock(order());
        }
    }

    @AutoValue
    abstract static class MarkBarrier extends ParticipantEffect {

        abstract Manifest manifest();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.mark(manifest());
        }
    }

    @AutoValue
    abstract static class UnmarkBarrier extends ParticipantEffect {

        abstract CheckpointId id();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.unmark(id());
        }
    }

    @AutoValue
    abstract static class AnswerFrozen extends ParticipantEffect {

        abstract long request();

        abstract Grant grant();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.answerFrozen(request(), grant());
        }
    }

    @AutoValue
    abstract static class AnswerCut extends ParticipantEffect {

        abstract long request();

        abstract Cut cut();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.answerCut(request(), cut());
        }
    }

    @AutoValue
    abstract static class AnswerAbandoned extends ParticipantEffect {

        abstract long request();

        abstract CheckpointId id();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.answerAbandoned(request(), id());
        }
    }

    @AutoValue
    abstract static class RefuseOrder extends ParticipantEffect {

        abstract long request();

        abstract String why();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.refuse(request(), why());
        }
    }
}
