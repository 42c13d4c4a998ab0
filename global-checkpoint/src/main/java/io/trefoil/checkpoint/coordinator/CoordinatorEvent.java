/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Grant;

/** What a coordinator hears. Dispatched by a {@link Handler}. */
public abstract class CoordinatorEvent {

    private CoordinatorEvent() {}

    abstract void dispatch(Handler handler);

    /** One method per event. */
    interface Handler {

        void begun(long ownMillis);

        void clockRead(String nameservice, long askedNanos, long theirMillis);

        void frozen(String nameservice, Grant grant);

        void cut(String nameservice, Cut cut);

        void abandoned(String nameservice);

        void failed(String nameservice, String why);

        void ticked();
    }

    /** Begins; {@code ownMillis} is this host's clock, milliseconds since 1970. */
    public static CoordinatorEvent begun(long ownMillis) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.begun(ownMillis);
            }
        };
    }

    /** A clock, and when it was asked for by the coordinator's monotonic one. */
    public static CoordinatorEvent clockRead(String nameservice, long askedNanos, long theirMillis) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.clockRead(nameservice, askedNanos, theirMillis);
            }
        };
    }

    /** The nameservice is frozen from before this until it cuts under the grant, or lets go. */
    public static CoordinatorEvent frozen(String nameservice, Grant grant) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.frozen(nameservice, grant);
            }
        };
    }

    /** The nameservice has its barrier, committed. */
    public static CoordinatorEvent cut(String nameservice, Cut cut) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.cut(nameservice, cut);
            }
        };
    }

    /** The nameservice has no barrier of this checkpoint and will never have one. */
    public static CoordinatorEvent abandoned(String nameservice) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.abandoned(nameservice);
            }
        };
    }

    /** An order was refused, or its answer is not to be had. */
    public static CoordinatorEvent failed(String nameservice, String why) {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.failed(nameservice, why);
            }
        };
    }

    /** Time goes on; comes every few milliseconds. */
    public static CoordinatorEvent ticked() {
        return new CoordinatorEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.ticked();
            }
        };
    }
}
