/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;

/** Something that a coordinator wants done. A value; dispatched by a {@link Handler}. */
public abstract class CoordinatorEffect {

    private CoordinatorEffect() {}

    /**
     * Has a driver carry it out.
     *
     * @throws X if the handler throws it
     */
    public abstract <X extends Exception> void performedBy(Handler<X> handler) throws X;

    /** One method per effect. The event with an order's name answers it, or {@code failed}. */
    public interface Handler<X extends Exception> {

        void askClock(String nameservice) throws X;

        /** Sent to the active NameNode of the nameservice; the order to cut later goes to that NameNode alone. */
        void freeze(String nameservice, FreezeOrder order) throws X;

        void cut(String nameservice, Grant grant, Agreement agreement) throws X;

        /** Sent to the NameNode that was asked to freeze; if it does not answer, to whichever is active. */
        void abandon(String nameservice, CheckpointId id) throws X;

        /** The checkpoint has ended; no event follows. */
        void finish(CheckpointOutcome outcome) throws X;
    }

    static CoordinatorEffect askClock(String nameservice) {
        return new AutoValue_CoordinatorEffect_AskClock(nameservice);
    }

    static CoordinatorEffect freeze(String nameservice, FreezeOrder order) {
        return new AutoValue_CoordinatorEffect_OrderFreeze(nameservice, order);
    }

    static CoordinatorEffect cut(String nameservice, Grant grant, Agreement agreement) {
        return new AutoValue_CoordinatorEffect_OrderCut(nameservice, grant, agreement);
    }

    static CoordinatorEffect abandon(String nameservice, CheckpointId id) {
        return new AutoValue_CoordinatorEffect_OrderAbandon(nameservice, id);
    }

    static CoordinatorEffect finish(CheckpointOutcome outcome) {
        return new AutoValue_CoordinatorEffect_FinishCheckpoint(outcome);
    }

    @AutoValue
    abstract static class AskClock extends CoordinatorEffect {

        abstract String nameservice();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.askClock(nameservice());
        }
    }

    @AutoValue
    abstract static class OrderFreeze extends CoordinatorEffect {

        abstract String nameservice();

        abstract FreezeOrder order();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.freeze(nameservice(), order());
        }
    }

    @AutoValue
    abstract static class OrderCut extends CoordinatorEffect {

        abstract String nameservice();

        abstract Grant grant();

        abstract Agreement agreement();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.cut(nameservice(), grant(), agreement());
        }
    }

    @AutoValue
    abstract static class OrderAbandon extends CoordinatorEffect {

        abstract String nameservice();

        abstract CheckpointId id();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.abandon(nameservice(), id());
        }
    }

    @AutoValue
    abstract static class FinishCheckpoint extends CoordinatorEffect {

        abstract CheckpointOutcome outcome();

        @Override
        public <X extends Exception> void performedBy(Handler<X> handler) throws X {
            handler.finish(outcome());
        }
    }
}
