/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;
import java.util.Set;

/** Events as a wrong agent would take them. */
public final class DisturbedEvents {

    private static final long HOLD_BACK_MILLIS = 1_000;

    private DisturbedEvents() {}

    /** Silence of the own node and of the pool is taken for the end of the lease. */
    public static AgentEvent alwaysFree(AgentEvent event) {
        return event.dispatch(new Same(event) {
            @Override
            public AgentEvent surveyed(Survey survey) {
                return AgentEvent.surveyed(Survey.of(true, true, survey.lastTxId(), Set.of()));
            }

            @Override
            public AgentEvent observed(Facts facts, long bid) {
                return AgentEvent.observed(
                        facts.toBuilder().heard(Optional.empty()).build(), bid);
            }
        });
    }

    /** Illness is not seen. */
    public static AgentEvent alwaysHealthy(AgentEvent event) {
        return event.dispatch(new Same(event) {
            @Override
            public AgentEvent observed(Facts facts, long bid) {
                return AgentEvent.observed(facts.toBuilder().trouble("").build(), bid);
            }
        });
    }

    /** ZooKeeper out of reach is taken for the loss of the lock, as a ZKFC does. */
    public static AgentEvent lostWithZooKeeper(AgentEvent event) {
        return event.dispatch(new Same(event) {
            @Override
            public AgentEvent disconnected() {
                return AgentEvent.cedeAsked(Request.of(-1), HOLD_BACK_MILLIS);
            }
        });
    }

    /** It is not seen that somebody is at work. */
    public static AgentEvent workUnseen(AgentEvent event) {
        return event.dispatch(new Same(event) {
            @Override
            public AgentEvent observed(Facts facts, long bid) {
                return AgentEvent.observed(facts.toBuilder().busy(false).build(), bid);
            }
        });
    }

    /** An agent that takes the role as if it came from a healthy one. */
    public static AgentState inheritingNothing(AgentState state) {
        return state.toBuilder().inherited(0).passes(0).build();
    }

    /** An observer is taken for any other standby. */
    public static AgentEvent observersUnknown(AgentEvent event) {
        return event.dispatch(new Same(event) {
            @Override
            public AgentEvent observed(Facts facts, long bid) {
                return AgentEvent.observed(facts.role() == Role.OBSERVER ? facts.in(Role.STANDBY) : facts, bid);
            }

            @Override
            public AgentEvent roleChanged(Role role) {
                return AgentEvent.roleChanged(Role.STANDBY);
            }
        });
    }

    /** Leaves every event as it is. */
    private abstract static class Same implements AgentEvent.Handler<AgentEvent> {
        private final AgentEvent event;

        Same(AgentEvent event) {
            this.event = event;
        }

        @Override
        public AgentEvent observed(Facts facts, long bid) {
            return event;
        }

        @Override
        public AgentEvent viewChanged(View view) {
            return event;
        }

        @Override
        public AgentEvent disconnected() {
            return event;
        }

        @Override
        public AgentEvent surveyed(Survey survey) {
            return event;
        }

        @Override
        public AgentEvent lockTaken(Ballot ballot) {
            return event;
        }

        @Override
        public AgentEvent lockMissed() {
            return event;
        }

        @Override
        public AgentEvent promised(Epoch epoch) {
            return event;
        }

        @Override
        public AgentEvent promiseFailed(String why) {
            return event;
        }

        @Override
        public AgentEvent activated() {
            return event;
        }

        @Override
        public AgentEvent activationFailed(String why) {
            return event;
        }

        @Override
        public AgentEvent steppedDown() {
            return event;
        }

        @Override
        public AgentEvent stepDownFailed(String why) {
            return event;
        }

        @Override
        public AgentEvent roleChanged(Role role) {
            return event;
        }

        @Override
        public AgentEvent roleChangeFailed(String why) {
            return event;
        }

        @Override
        public AgentEvent leadAsked(Request request) {
            return event;
        }

        @Override
        public AgentEvent cedeAsked(Request request, long holdBackMillis) {
            return event;
        }

        @Override
        public AgentEvent rejoinAsked(Request request) {
            return event;
        }
    }
}
