/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;

/** Something that a participant is told. A value; dispatched by a {@link Handler}. */
public abstract class ParticipantEvent {

    private ParticipantEvent() {}

    abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** One method per event. */
    interface Handler<X extends Exception> {

        void freezeAsked(long request, FreezeOrder order) throws X;

        void cutAsked(long request, Grant grant, Agreement agreement) throws X;

        void abandonAsked(long request, CheckpointId id) throws X;

        void locked() throws X;

        void notLocked(String why) throws X;

        void cut(Cut cut) throws X;

        void notCut(String why) throws X;

        void marked() throws X;

        void notMarked(String why) throws X;

        void unmarked(CheckpointId id) throws X;

        void notUnmarked(CheckpointId id, String why) throws X;

        void ticked() throws X;
    }

    /** A coordinator asks this NameNode to hold the namesystem's lock. */
    public static ParticipantEvent freezeAsked(long request, FreezeOrder order) {
        return new AutoValue_ParticipantEvent_FreezeAsked(request, order);
    }

    /** A coordinator asks to make the state that is held under the grant the cut. */
    public static ParticipantEvent cutAsked(long request, Grant grant, Agreement agreement) {
        return new AutoValue_ParticipantEvent_CutAsked(request, grant, agreement);
    }

    /** A coordinator asks to leave nothing of a checkpoint. */
    public static ParticipantEvent abandonAsked(long request, CheckpointId id) {
        return new AutoValue_ParticipantEvent_AbandonAsked(request, id);
    }

    /** The lock is taken. */
    public static ParticipantEvent locked() {
        return new AutoValue_ParticipantEvent_NamesystemLocked();
    }

    /** The lock was not taken and will not be. */
    public static ParticipantEvent notLocked(String why) {
        return new AutoValue_ParticipantEvent_NamesystemNotLocked(why);
    }

    /** The segment has ended under the lock, and the lock is free. */
    public static ParticipantEvent cut(Cut cut) {
        return new AutoValue_ParticipantEvent_SegmentCut(cut);
    }

    /** There is no cut, and the lock is free. */
    public static ParticipantEvent notCut(String why) {
        return new AutoValue_ParticipantEvent_SegmentNotCut(why);
    }

    /** The barrier is committed. */
    public static ParticipantEvent marked() {
        return new AutoValue_ParticipantEvent_BarrierMarked();
    }

    /** It is unknown whether the barrier is committed. */
    public static ParticipantEvent notMarked(String why) {
        return new AutoValue_ParticipantEvent_BarrierNotMarked(why);
    }

    /** There is no barrier of the checkpoint, and no earlier writer can commit one any more. */
    public static ParticipantEvent unmarked(CheckpointId id) {
        return new AutoValue_ParticipantEvent_BarrierUnmarked(id);
    }

    /** It is unknown whether there is a barrier of the checkpoint. */
    public static ParticipantEvent notUnmarked(CheckpointId id, String why) {
        return new AutoValue_ParticipantEvent_BarrierNotUnmarked(id, why);
    }

    /** Time has passed; comes every few milliseconds. */
    public static ParticipantEvent ticked() {
        return new AutoValue_ParticipantEvent_ParticipantTicked();
    }

    @AutoValue
    abstract static class FreezeAsked extends ParticipantEvent {

        abstract long request();

        abstract FreezeOrder order();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.freezeAsked(request(), order());
        }
    }

    @AutoValue
    abstract static class CutAsked extends ParticipantEvent {

        abstract long request();

        abstract Grant grant();

        abstract Agreement agreement();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.cutAsked(request(), grant(), agreement());
        }
    }

    @AutoValue
    abstract static class AbandonAsked extends ParticipantEvent {

        abstract long request();

        abstract CheckpointId id();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.abandonAsked(request(), id());
        }
    }

    @AutoValue
    abstract static class NamesystemLocked extends ParticipantEvent {

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.locked();
        }
    }

    @AutoValue
    abstract static class NamesystemNotLocked extends ParticipantEvent {

        abstract String why();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.notLocked(why());
        }
    }

    @AutoValue
    abstract static class SegmentCut extends ParticipantEvent {

        abstract Cut cut();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.cut(cut());
        }
    }

    @AutoValue
    abstract static class SegmentNotCut extends ParticipantEvent {

        abstract String why();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.notCut(why());
        }
    }

    @AutoValue
    abstract static class BarrierMarked extends ParticipantEvent {

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.marked();
        }
    }

    @AutoValue
    abstract static class BarrierNotMarked extends ParticipantEvent {

        abstract String why();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.notMarked(why());
        }
    }

    @AutoValue
    abstract static class BarrierUnmarked extends ParticipantEvent {

        abstract CheckpointId id();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.unmarked(id());
        }
    }

    @AutoValue
    abstract static class BarrierNotUnmarked extends ParticipantEvent {

        abstract CheckpointId id();

        abstract String why();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.notUnmarked(id(), why());
        }
    }

    @AutoValue
    abstract static class ParticipantTicked extends ParticipantEvent {

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.ticked();
        }
    }
}
