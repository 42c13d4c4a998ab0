/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.traces;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEffectHandler;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Steps the rules of an agent with the events of a trace, and compares what they ask for with what was asked of the NameNode, the pool and
 * ZooKeeper: each call once, in its order, none that the rules have withdrawn, and no result of a call that was not made.
 */
final class AgentReplay {

    /** The stages in which HDFS may be told to become active; the process may be told to end while it is. */
    private static final Set<AgentStage> BECOMING_ACTIVE = EnumSet.of(AgentStage.ACTIVATING, AgentStage.HALTED);

    private Optional<AgentState> state = Optional.empty();
    /** What is called within the step. */
    private final Deque<String> wanted = new ArrayDeque<>();
    /** What the thread of slow work calls, one after the other. */
    private final Deque<String> changes = new ArrayDeque<>();

    private final Map<String, Integer> calls = new HashMap<>();
    private int surveys;
    private long events;

    /** How many events were replayed. */
    public long eventCount() {
        return events;
    }

    public void onBegin(AgentSettings settings, long nowNanos) {
        state = Optional.of(AgentState.begin(settings, nowNanos));
    }

    /** The rules see an event. */
    public void onEvent(long digest, AgentEvent event, long nowNanos) {
        events++;
        requireNoneOutstanding("before " + event);
        AgentState before = currentState();
        if (before.digest() != digest) {
            throw new DriverFault("steps the rules from another state than " + before.describe() + ": " + event);
        }
        requireCalled(event);
        Step<AgentState, AgentEffect> step = Agent.step(before, event, nowNanos);
        state = Optional.of(step.next());
        for (AgentEffect effect : step.effects()) {
            effect.dispatch(new ExpectedEffects());
        }
    }

    private AgentState currentState() {
        return state.orElseThrow(() -> new DriverFault("has no state"));
    }

    /** A result comes once for each call. */
    private void requireCalled(AgentEvent event) {
        if (event instanceof AgentEvent.Surveyed) {
            onResult(event, "queryLease");
        } else if (event instanceof AgentEvent.EpochPromised) {
            onResult(event, "prepareWriter");
        } else if (event instanceof AgentEvent.Activated || event instanceof AgentEvent.ActivationFailed) {
            onResult(event, "becomeActive");
        } else if (event instanceof AgentEvent.SteppedDown || event instanceof AgentEvent.StepDownFailed) {
            onResult(event, "becomeStandby");
        } else if (event instanceof AgentEvent.RoleChanged || event instanceof AgentEvent.RoleChangeFailed) {
            onResult(event, "changeRole");
        } else if (event instanceof AgentEvent.LockTaken || event instanceof AgentEvent.LockMissed) {
            onResult(event, "takeLock");
        }
    }

    private void onResult(AgentEvent event, String method) {
        if (calls.merge(method, -1, Integer::sum) < 0) {
            throw new DriverFault("says " + event + " without a call of " + method);
        }
    }

    /** A method that changes something is called. */
    public void onCall(String call) {
        String method = call.substring(0, call.indexOf('['));
        calls.merge(method, 1, Integer::sum);
        switch (method) {
            case "queryLease" -> {
                surveys--;
                if (surveys < 0) {
                    throw new DriverFault("asks the pool, the rules do not");
                }
            }
            case "openSessions", "closeSessions", "prepareWriter", "becomeStandby", "changeRole" -> onChange(call);
            case "becomeActive" -> {
                onChange(call);
                if (!BECOMING_ACTIVE.contains(currentState().stage())) {
                    throw new DriverFault(
                            "makes HDFS active in stage " + currentState().stage());
                }
            }
            default -> {
                String next = wanted.isEmpty() ? "nothing" : wanted.peek();
                if (!call.equals(next)) {
                    throw new DriverFault("calls: " + call + "; the rules want: " + next);
                }
                wanted.remove();
            }
        }
    }

    private void onChange(String call) {
        // An epoch that is given up before any agent asked for it is never asked for.
        while (!changes.isEmpty()
                && !matches(changes.peek(), call)
                && changes.peek().equals("prepareWriter")) {
            changes.remove();
        }
        String next = changes.isEmpty() ? "nothing" : changes.peek();
        if (!matches(next, call)) {
            throw new DriverFault("calls: " + call + "; the rules want: " + next);
        }
        changes.remove();
    }

    /** The rules do not know of how many nodes a writer asks. */
    private static boolean matches(String expectedCall, String call) {
        return call.equals(expectedCall) || call.startsWith(expectedCall + "[");
    }

    private void requireNoneOutstanding(String when) {
        if (!wanted.isEmpty()) {
            throw new DriverFault("has not called " + when + ": " + wanted);
        }
    }

    private void addExpected(String method, Object... arguments) {
        wanted.add(method + Arrays.toString(arguments));
    }

    private final class ExpectedEffects implements AgentEffectHandler<RuntimeException> {

        @Override
        public void publish(MemberRecord record) {
            addExpected("publish", record);
        }

        @Override
        public void survey() {
            surveys++;
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {
            addExpected("takeLock", lock, expected, replacedLock);
        }

        @Override
        public void publishEpoch(LockRecord lock) {
            addExpected("publishEpoch", lock);
        }

        @Override
        public void releaseLock(LockRecord lock) {
            addExpected("releaseLock", lock);
        }

        @Override
        public void openSessions() {
            changes.add("openSessions");
        }

        @Override
        public void closeSessions() {
            changes.add("closeSessions");
        }

        @Override
        public void takeEpoch() {
            changes.add("prepareWriter");
        }

        @Override
        public void abandonEpoch() {
            changes.add("closeSessions");
        }

        @Override
        public void activate() {
            changes.add("becomeActive");
        }

        @Override
        public void stepDown() {
            changes.add("becomeStandby");
        }

        @Override
        public void changeRole(HaRole role) {
            changes.add("changeRole[" + role + "]");
        }

        @Override
        public void halt(String reason) {
            addExpected("halt", reason);
        }

        @Override
        public void record(Failover failover) {
            addExpected("record", failover);
        }

        @Override
        public void answer(AgentRequest request, String refusal) {
            addExpected("answer", request, refusal);
        }
    }
}
