/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;

/** What a coordinator wants done. Dispatched by a {@link Handler}. */
public abstract class CoordinatorEffect {

    private CoordinatorEffect() {}

    /** Has a driver carry it out. */
    public abstract <R> R performedBy(Handler<R> handler);

    /** One method per effect; an order is answered by the event of its name, or by {@code failed}. */
    public interface Handler<R> {

        R askClock(String nameservice);

        /** To the NameNode that is active there, and to it alone also the order to cut. */
        R freeze(String nameservice, FreezeOrder order);

        R cut(String nameservice, Grant grant, Agreement agreement);

        /** To the NameNode that was asked to freeze; if it does not answer, to whichever is active. */
        R abandon(String nameservice, CheckpointId id);

        /** Nothing follows. */
        R finish(Outcome outcome);
    }

    static CoordinatorEffect askClock(String nameservice) {
        return new CoordinatorEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.askClock(nameservice);
            }
        };
    }

    static CoordinatorEffect freeze(String nameservice, FreezeOrder order) {
        return new CoordinatorEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.freeze(nameservice, order);
            }
        };
    }

    static CoordinatorEffect cut(String nameservice, Grant grant, Agreement agreement) {
        return new CoordinatorEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.cut(nameservice, grant, agreement);
            }
        };
    }

    static CoordinatorEffect abandon(String nameservice, CheckpointId id) {
        return new CoordinatorEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.abandon(nameservice, id);
            }
        };
    }

    static CoordinatorEffect finish(Outcome outcome) {
        return new CoordinatorEffect() {
            @Override
            public <R> R performedBy(Handler<R> handler) {
                return handler.finish(outcome);
            }
        };
    }
}
