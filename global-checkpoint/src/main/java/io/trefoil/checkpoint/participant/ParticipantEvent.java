/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;

/** What a participant hears. Dispatched by a {@link Handler}. */
public abstract class ParticipantEvent {

    private ParticipantEvent() {}

    abstract void dispatch(Handler handler);

    /** One method per event. */
    interface Handler {

        void freezeAsked(long request, FreezeOrder order);

        void cutAsked(long request, Grant grant, Agreement agreement);

        void abandonAsked(long request, CheckpointId id);

        void locked();

        void notLocked(String why);

        void cut(Cut cut);

        void notCut(String why);

        void marked();

        void notMarked(String why);

        void unmarked(CheckpointId id);

        void notUnmarked(CheckpointId id, String why);

        void ticked();
    }

    public static ParticipantEvent freezeAsked(long request, FreezeOrder order) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.freezeAsked(request, order);
            }
        };
    }

    public static ParticipantEvent cutAsked(long request, Grant grant, Agreement agreement) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.cutAsked(request, grant, agreement);
            }
        };
    }

    public static ParticipantEvent abandonAsked(long request, CheckpointId id) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.abandonAsked(request, id);
            }
        };
    }

    /** The lock is had. */
    public static ParticipantEvent locked() {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.locked();
            }
        };
    }

    /** The lock is not had and will not be. */
    public static ParticipantEvent notLocked(String why) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.notLocked(why);
            }
        };
    }

    /** The segment has ended under the lock, and the lock is free. */
    public static ParticipantEvent cut(Cut cut) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.cut(cut);
            }
        };
    }

    /** There is no cut, and the lock is free. */
    public static ParticipantEvent notCut(String why) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.notCut(why);
            }
        };
    }

    /** The barrier is committed. */
    public static ParticipantEvent marked() {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.marked();
            }
        };
    }

    /** Whether the barrier is committed is not known. */
    public static ParticipantEvent notMarked(String why) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.notMarked(why);
            }
        };
    }

    /** There is no barrier of the checkpoint, and no writer before this one can commit one any more. */
    public static ParticipantEvent unmarked(CheckpointId id) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.unmarked(id);
            }
        };
    }

    public static ParticipantEvent notUnmarked(CheckpointId id, String why) {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.notUnmarked(id, why);
            }
        };
    }

    /** Time goes on; comes every few milliseconds. */
    public static ParticipantEvent ticked() {
        return new ParticipantEvent() {
            @Override
            void dispatch(Handler handler) {
                handler.ticked();
            }
        };
    }
}
