/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.Role;
import java.util.Optional;

/** What an agent wants done. Dispatched by a {@link Handler}. */
public abstract class AgentEffect {

    private AgentEffect() {}

    abstract <R> R dispatch(Handler<R> handler);

    /** Has a driver carry it out. */
    public final <R> R performedBy(Handler<R> handler) {
        return dispatch(handler);
    }

    /** One method per effect. */
    public interface Handler<R> {

        /** Shows a record of this member in the view; a later one takes its place. */
        R publish(MemberRecord record);

        /** Asks the pool for the lease; {@code surveyed} follows. */
        R survey();

        /** Takes the lock, if the last ballot is still the expected one; {@code lockTaken} or {@code lockMissed} follows. */
        R takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced);

        /** Writes the epoch into the lock that is held. */
        R showEpoch(LockRecord lock);

        /** Gives the lock up. */
        R releaseLock(LockRecord lock);

        /** Becomes the journal's writer; {@code promised} or {@code promiseFailed} follows. */
        R takeEpoch();

        /** Ends that, finished or not; {@code promiseFailed} follows, unless {@code promised} was told. */
        R giveUpEpoch();

        /** Makes HDFS active; {@code activated} or {@code activationFailed} follows. */
        R activate();

        /** Makes HDFS standby; {@code steppedDown} or {@code stepDownFailed} follows. */
        R stepDown();

        /**
         * Makes HDFS an observer, or an observer a standby; {@code roleChanged} or {@code roleChangeFailed} follows.
         */
        R changeRole(Role role);

        /** Ends the process at once, without waiting for anything. */
        R halt(String why);

        /** Adds to the history. */
        R record(Failover failover);

        /** Tells who asked; a refusal that is empty is a yes. */
        R answer(Request request, String refusal);
    }

    static AgentEffect publish(MemberRecord record) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.publish(record);
            }
        };
    }

    static AgentEffect survey() {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.survey();
            }
        };
    }

    static AgentEffect takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.takeLock(lock, expected, replaced);
            }
        };
    }

    static AgentEffect showEpoch(LockRecord lock) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.showEpoch(lock);
            }
        };
    }

    static AgentEffect releaseLock(LockRecord lock) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.releaseLock(lock);
            }
        };
    }

    static AgentEffect takeEpoch() {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.takeEpoch();
            }
        };
    }

    static AgentEffect giveUpEpoch() {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.giveUpEpoch();
            }
        };
    }

    static AgentEffect activate() {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.activate();
            }
        };
    }

    static AgentEffect stepDown() {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.stepDown();
            }
        };
    }

    static AgentEffect changeRole(Role role) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.changeRole(role);
            }
        };
    }

    static AgentEffect halt(String why) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.halt(why);
            }
        };
    }

    static AgentEffect record(Failover failover) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.record(failover);
            }
        };
    }

    static AgentEffect answer(Request request, String refusal) {
        return new AgentEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.answer(request, refusal);
            }
        };
    }
}
