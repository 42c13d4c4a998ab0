/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Grant;

/** Something that a coordinator is told. A value; dispatched by a {@link Handler}. */
public abstract class CoordinatorEvent {

    private CoordinatorEvent() {}

    abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** One method per event. */
    interface Handler<X extends Exception> {

        void begun(long ownMillis) throws X;

        void clockRead(String nameservice, long askedNanos, long theirMillis) throws X;

        void frozen(String nameservice, Grant grant) throws X;

        void cut(String nameservice, Cut cut) throws X;

        void abandoned(String nameservice) throws X;

        void failed(String nameservice, String why) throws X;

        void ticked() throws X;
    }

    /** The checkpoint begins; {@code ownMillis} is this host's clock, milliseconds since 1970. */
    public static CoordinatorEvent begun(long ownMillis) {
        return new AutoValue_CoordinatorEvent_CheckpointBegun(ownMillis);
    }

    /** A participant's clock, and when the coordinator asked for it, by its own monotonic clock. */
    public static CoordinatorEvent clockRead(String nameservice, long askedNanos, long theirMillis) {
        return new AutoValue_CoordinatorEvent_ClockRead(nameservice, askedNanos, theirMillis);
    }

    /** The nameservice froze before this event, and stays frozen until it cuts under the grant or releases the lock. */
    public static CoordinatorEvent frozen(String nameservice, Grant grant) {
        return new AutoValue_CoordinatorEvent_NameserviceFrozen(nameservice, grant);
    }

    /** The nameservice's barrier is committed. */
    public static CoordinatorEvent cut(String nameservice, Cut cut) {
        return new AutoValue_CoordinatorEvent_NameserviceCut(nameservice, cut);
    }

    /** The nameservice has no barrier of this checkpoint and never will. */
    public static CoordinatorEvent abandoned(String nameservice) {
        return new AutoValue_CoordinatorEvent_NameserviceAbandoned(nameservice);
    }

    /** An order was refused, or its answer did not arrive. */
    public static CoordinatorEvent failed(String nameservice, String why) {
        return new AutoValue_CoordinatorEvent_OrderFailed(nameservice, why);
    }

    /** Time has passed; comes every few milliseconds. */
    public static CoordinatorEvent ticked() {
        return new AutoValue_CoordinatorEvent_CoordinatorTicked();
    }

    @AutoValue
    abstract static class CheckpointBegun extends CoordinatorEvent {

        abstract long ownMillis();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.begun(ownMillis());
        }
    }

    @AutoValue
    abstract static class ClockRead extends CoordinatorEvent {

        abstract String nameservice();

        abstract long askedNanos();

        abstract long theirMillis();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.clockRead(nameservice(), askedNanos(), theirMillis());
        }
    }

    @AutoValue
    abstract static class NameserviceFrozen extends CoordinatorEvent {

        abstract String nameservice();

        abstract Grant grant();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.frozen(nameservice(), grant());
        }
    }

    @AutoValue
    abstract static class NameserviceCut extends CoordinatorEvent {

        abstract String nameservice();

        abstract Cut cut();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.cut(nameservice(), cut());
        }
    }

    @AutoValue
    abstract static class NameserviceAbandoned extends CoordinatorEvent {

        abstract String nameservice();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.abandoned(nameservice());
        }
    }

    @AutoValue
    abstract static class OrderFailed extends CoordinatorEvent {

        abstract String nameservice();

        abstract String why();

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.failed(nameservice(), why());
        }
    }

    @AutoValue
    abstract static class CoordinatorTicked extends CoordinatorEvent {

        @Override
        <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.ticked();
        }
    }
}
