/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;

/** What an agent hears. Dispatched by a {@link Handler}. */
public abstract class AgentEvent {

    private AgentEvent() {}

    abstract <R> R dispatch(Handler<R> handler);

    /** One method per event. */
    public interface Handler<R> {

        /** How the own process is, and the number for the next election; comes every few milliseconds. */
        R observed(Facts facts, long bid);

        /** The global view was read. */
        R viewChanged(View view);

        /** ZooKeeper is out of reach; what was read before may be old. */
        R disconnected();

        /** The pool answered, or was silent. */
        R surveyed(Survey survey);

        /** The lock was asked for and is had. */
        R lockTaken(Ballot ballot);

        /** The lock was asked for; somebody else has it, or nobody knows. */
        R lockMissed();

        /** A majority has promised the epoch that was asked for, and all that is older is committed. */
        R promised(Epoch epoch);

        /** The epoch that was asked for was not had, or was given up. */
        R promiseFailed(String why);

        /** HDFS is active. */
        R activated();

        /** HDFS refused, and is what it was. */
        R activationFailed(String why);

        /** HDFS is standby. */
        R steppedDown();

        /** HDFS refused, and is what it was. */
        R stepDownFailed(String why);

        /** HDFS is what was asked for: an observer, or a standby again. */
        R roleChanged(Role role);

        /** HDFS refused, and is what it was. */
        R roleChangeFailed(String why);

        /** An operator wants this member to be active. */
        R leadAsked(Request request);

        /** Somebody wants this member to be active no more, and to leave that to others for a while. */
        R cedeAsked(Request request, long holdBackMillis);

        /** Somebody wants this member to leave it to others no longer. */
        R rejoinAsked(Request request);
    }

    public static AgentEvent observed(Facts facts, long bid) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.observed(facts, bid);
            }
        };
    }

    public static AgentEvent viewChanged(View view) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.viewChanged(view);
            }
        };
    }

    public static AgentEvent disconnected() {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.disconnected();
            }
        };
    }

    public static AgentEvent surveyed(Survey survey) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.surveyed(survey);
            }
        };
    }

    public static AgentEvent lockTaken(Ballot ballot) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.lockTaken(ballot);
            }
        };
    }

    public static AgentEvent lockMissed() {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.lockMissed();
            }
        };
    }

    public static AgentEvent promised(Epoch epoch) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.promised(epoch);
            }
        };
    }

    public static AgentEvent promiseFailed(String why) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.promiseFailed(why);
            }
        };
    }

    public static AgentEvent activated() {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.activated();
            }
        };
    }

    public static AgentEvent activationFailed(String why) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.activationFailed(why);
            }
        };
    }

    public static AgentEvent steppedDown() {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.steppedDown();
            }
        };
    }

    public static AgentEvent stepDownFailed(String why) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.stepDownFailed(why);
            }
        };
    }

    public static AgentEvent roleChanged(Role role) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.roleChanged(role);
            }
        };
    }

    public static AgentEvent roleChangeFailed(String why) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.roleChangeFailed(why);
            }
        };
    }

    public static AgentEvent leadAsked(Request request) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.leadAsked(request);
            }
        };
    }

    public static AgentEvent cedeAsked(Request request, long holdBackMillis) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.cedeAsked(request, holdBackMillis);
            }
        };
    }

    public static AgentEvent rejoinAsked(Request request) {
        return new AgentEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.rejoinAsked(request);
            }
        };
    }
}
