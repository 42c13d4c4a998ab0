/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.explore;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.coordinator.CoordinatorEffect;
import io.trefoil.checkpoint.coordinator.CoordinatorEffectHandler;
import io.trefoil.checkpoint.coordinator.CoordinatorEvent;
import io.trefoil.checkpoint.coordinator.CoordinatorStage;
import io.trefoil.checkpoint.coordinator.CoordinatorState;
import io.trefoil.checkpoint.coordinator.ExploredCoordinators;
import io.trefoil.checkpoint.explore.CheckpointState.Client;
import io.trefoil.checkpoint.explore.CheckpointState.Entry;
import io.trefoil.checkpoint.explore.CheckpointState.Group;
import io.trefoil.checkpoint.explore.CheckpointState.Lead;
import io.trefoil.checkpoint.explore.CheckpointState.Lock;
import io.trefoil.checkpoint.explore.CheckpointState.NodeProcess;
import io.trefoil.checkpoint.explore.CheckpointState.Packet;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.participant.ExploredParticipants;
import io.trefoil.checkpoint.participant.ParticipantEffect;
import io.trefoil.checkpoint.participant.ParticipantEffectHandler;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.checkpoint.participant.ParticipantStage;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.checkpoint.sim.SimRules;
import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.PartWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One checkpoint of two nameservices, with the rules that ship: its coordinator, a journal each, two processes each of which one is active,
 * and a client that writes an effect into one when its cause is acknowledged in the other.
 */
final class CheckpointWorld extends PartWorld<CheckpointState> {

    private static final int GROUPS = 2;
    private static final int PLACES = 2;
    private static final long REQUEST = 1;
    private static final int SETTLED_WITHIN = 8;
    private static final String CAUSE = "cause";
    private static final String EFFECT = "effect";
    private static final CheckpointId ID = CheckpointId.of("c", "00000001");

    private final SimRules rules;
    private final WorldBounds bounds;
    private final Map<CoordinatorState, Boolean> ending = new HashMap<>();
    private final Map<NodeProcess, Boolean> releasing = new HashMap<>();

    CheckpointWorld(SimRules rules, WorldBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    private static String name(int group) {
        return "ns" + (group + 1);
    }

    private static int group(String name) {
        return Integer.parseInt(name.substring(2)) - 1;
    }

    private static NodeProcess process(int group, int run) {
        return new NodeProcess(ParticipantState.begin(name(group) + "-" + run), Lock.FREE, false, false, false);
    }

    @Override
    protected CheckpointState initialState() {
        CheckpointPlan plan = CheckpointPlan.builder()
                .id(ID)
                .nameservices(Set.of(name(0), name(1)))
                .timeServer(name(0))
                .freezeMillis(500)
                .answerMillis(800)
                .build();
        List<Group> groups = List.of(initialGroup(0), initialGroup(1));
        CheckpointState begun = new CheckpointState(
                new Lead(CoordinatorState.of(plan, 0), Optional.empty(), Map.of()),
                groups,
                List.of(),
                new Client(0, 0),
                bounds,
                "");
        CheckpointState state = stepCoordinator(begun, CoordinatorEvent.begun(0));
        for (int group = 0; group < GROUPS; group++) {
            state = stepCoordinator(state, CoordinatorEvent.clockRead(name(group), 0, 0));
        }
        return state;
    }

    private static Group initialGroup(int group) {
        return new Group(List.of(), 0, 0, 1, List.of(Optional.of(process(group, 1)), Optional.empty()));
    }

    @Override
    protected List<Object> split(CheckpointState state) {
        return List.of(
                state.lead(),
                state.groups().get(0),
                state.groups().get(1),
                state.sentPackets(),
                List.of(state.client(), state.left(), state.broken()));
    }

    @Override
    protected CheckpointState join(List<Object> parts) {
        List<?> rest = (List<?>) parts.get(4);
        @SuppressWarnings("unchecked")
        List<Packet> sent = (List<Packet>) parts.get(3);
        return new CheckpointState(
                (Lead) parts.get(0),
                List.of((Group) parts.get(1), (Group) parts.get(2)),
                sent,
                (Client) rest.get(0),
                (WorldBounds) rest.get(1),
                (String) rest.get(2));
    }

    // ---- What can happen ----

    @Override
    protected void forEachStep(CheckpointState state, Then<CheckpointState> then) {
        if (isLeading(state)) {
            coordinatorSteps(state, then);
        }
        for (Packet message : state.sentPackets()) {
            deliverySteps(state.withoutPacket(message), message, then);
            if (state.left().has("duplicates")) {
                deliverySteps(state.with(state.left().decrement("duplicates")), message, then);
            }
        }
        for (int group = 0; group < GROUPS; group++) {
            writeSteps(state, group, then);
            Group members = state.groups().get(group);
            if (members.committed() < members.log().size()
                    && processAt(state, group, members.active()).isPresent()) {
                then.become(state.with(group, members.withNextCommitted()), name(group) + " commits");
            }
            for (int index = 0; index < PLACES; index++) {
                if (members.places().get(index).isPresent()) {
                    processSteps(state, group, index, then);
                } else {
                    electionSteps(state, group, index, then);
                }
            }
        }
    }

    private static Optional<NodeProcess> processAt(CheckpointState state, int group, int index) {
        return state.groups().get(group).places().get(index);
    }

    private static boolean isLeading(CheckpointState state) {
        return state.lead().state().stage() != CoordinatorStage.ENDED;
    }

    private void coordinatorSteps(CheckpointState state, Then<CheckpointState> then) {
        Lead lead = state.lead();
        if (state.left().has("deadlines")) {
            then.become(
                    stepCoordinator(
                            passCoordinatorDeadline(state.with(state.left().decrement("deadlines"))),
                            CoordinatorEvent.ticked()),
                    "the coordinator's deadline passes");
        }
        if (lead.state().stage() == CoordinatorStage.ABANDONING && state.left().has("retries")) {
            CoordinatorState impatient = ExploredCoordinators.pastRetryTime(lead.state());
            then.become(
                    stepCoordinator(
                            state.with(state.left().decrement("retries"))
                                    .with(new Lead(impatient, lead.outcome(), lead.asked())),
                            CoordinatorEvent.ticked()),
                    "the coordinator asks again");
        }
    }

    private static CheckpointState passCoordinatorDeadline(CheckpointState state) {
        Lead lead = state.lead();
        return state.with(new Lead(ExploredCoordinators.pastDeadline(lead.state()), lead.outcome(), lead.asked()));
    }

    private void deliverySteps(CheckpointState state, Packet message, Then<CheckpointState> then) {
        Supplier<String> description = message::toString;
        if (message instanceof Packet.Freeze freeze) {
            orderSteps(
                    state,
                    freeze.group(),
                    freeze.place(),
                    ParticipantEvent.freezeRequested(
                            REQUEST, state.lead().state().plan().freezeOrder()),
                    description,
                    then);
        } else if (message instanceof Packet.MakeCut cut) {
            orderSteps(
                    state,
                    cut.group(),
                    cut.place(),
                    ParticipantEvent.cutRequested(REQUEST, cut.grant(), cut.agreement()),
                    description,
                    then);
        } else if (message instanceof Packet.Abandon abandon) {
            orderSteps(
                    state,
                    abandon.group(),
                    abandon.place(),
                    ParticipantEvent.abandonRequested(REQUEST, ID),
                    description,
                    then);
        } else if (isLeading(state)) {
            then.become(stepCoordinator(state, answer(message)), description);
        }
    }

    private static CoordinatorEvent answer(Packet message) {
        if (message instanceof Packet.Frozen frozen) {
            return CoordinatorEvent.frozen(name(frozen.group()), frozen.grant());
        }
        if (message instanceof Packet.CutDone done) {
            return CoordinatorEvent.cut(name(done.group()), done.cut());
        }
        return message instanceof Packet.Abandoned abandoned
                ? CoordinatorEvent.abandoned(name(abandoned.group()))
                : CoordinatorEvent.failed(name(((Packet.Refused) message).group()), "refused");
    }

    private void orderSteps(
            CheckpointState state,
            int group,
            int index,
            ParticipantEvent order,
            Supplier<String> description,
            Then<CheckpointState> then) {
        if (processAt(state, group, index).isPresent()) {
            then.become(stepParticipant(state, group, index, order), description);
        }
    }

    private void writeSteps(CheckpointState state, int group, Then<CheckpointState> then) {
        Client client = state.client();
        Group members = state.groups().get(group);
        boolean isOpen = processAt(state, group, members.active())
                .filter(active -> active.lock() != Lock.HELD)
                .isPresent();
        if (isOpen && client.written() == 0 && state.left().has("writes")) {
            then.become(
                    write(state, group, new Entry.Write(CAUSE)).with(new Client(1, group)),
                    "a client writes the cause at " + name(group));
        } else if (isOpen
                && client.written() == 1
                && client.first() != group
                && state.groups().get(client.first()).hasCommitted(CAUSE)) {
            then.become(
                    write(state, group, new Entry.Write(EFFECT)).with(new Client(2, client.first())),
                    "a client writes the effect at " + name(group));
        }
    }

    /** An entry is committed at any later time; at once if no process can come that does not know of it. */
    private static CheckpointState write(CheckpointState state, int group, Entry entry) {
        Group written = state.groups().get(group).withEntry(entry);
        return state.with(group, !state.left().has("failovers") ? written.withNextCommitted() : written);
    }

    /** What a process does by itself. */
    private void processSteps(CheckpointState state, int group, int index, Then<CheckpointState> then) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        Group members = state.groups().get(group);
        String who = name(group) + "/" + index;
        boolean isActive = members.active() == index;
        boolean mayFail = !isActive || state.left().has("failures");
        CheckpointState failing = isActive && mayFail ? state.with(state.left().decrement("failures")) : state;
        boolean isCommitted = isActive && members.committed() == members.log().size();
        if (process.lock() == Lock.WAITING || process.lock() == Lock.GIVEN_UP) {
            then.become(
                    stepParticipant(
                            state.with(group, members.withProcess(index, Optional.of(process.withLock(Lock.HELD)))),
                            group,
                            index,
                            ParticipantEvent.locked()),
                    who + " has the lock");
            if (process.lock() == Lock.GIVEN_UP || mayFail) {
                then.become(
                        failLock(process.lock() == Lock.GIVEN_UP ? state : failing, group, index),
                        who + " does not get the lock");
            }
        }
        if (process.isCutting()) {
            if (isCommitted) {
                NodeProcess free = process.withCutting(false).withLock(Lock.FREE);
                then.become(
                        stepParticipant(
                                state.with(group, members.withProcess(index, Optional.of(free))),
                                group,
                                index,
                                ParticipantEvent.segmentCut(cut(group, members))),
                        who + " has cut");
            }
            if (mayFail) {
                then.become(failCut(failing, group, index), who + " fails to cut");
            }
        }
        if (process.isMarking()) {
            if (isCommitted) {
                then.become(
                        stepParticipant(
                                state.with(group, members.withProcess(index, Optional.of(process.withMarking(false)))),
                                group,
                                index,
                                ParticipantEvent.marked()),
                        who + " has its barrier");
            }
            if (mayFail) {
                then.become(failMark(failing, group, index), who + " does not know of its barrier");
            }
        }
        if (process.isRemoving()) {
            if (isCommitted) {
                then.become(
                        stepParticipant(
                                state.with(group, members.withProcess(index, Optional.of(process.withRemoving(false)))),
                                group,
                                index,
                                ParticipantEvent.markRemoved(ID)),
                        who + " has removed its barrier");
            }
            if (mayFail) {
                then.become(failRemoval(failing, group, index), who + " fails to remove its barrier");
            }
        }
        if (state.left().has("deadlines")) {
            then.become(
                    passDeadline(state.with(state.left().decrement("deadlines")), group, index),
                    who + "'s deadline passes");
        }
        if (isActive && state.left().has("crashes")) {
            then.become(
                    state.with(group, members.withProcess(index, Optional.empty()))
                            .with(state.left().decrement("crashes")),
                    who + " crashes");
        }
    }

    private static Cut cut(int group, Group members) {
        return Cut.builder()
                .nameservice(name(group))
                .nameNode("nn")
                .txId(members.log().size())
                .imageTxId(0)
                .files(0)
                .blocks(0)
                .waitedMicros(0)
                .cutMicros(0)
                .frozenMicros(0)
                .build();
    }

    private CheckpointState failLock(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        return stepParticipant(
                withProcess(state, group, index, process.withLock(Lock.FREE)),
                group,
                index,
                ParticipantEvent.lockFailed("not"));
    }

    private CheckpointState failCut(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        return stepParticipant(
                withProcess(state, group, index, process.withCutting(false).withLock(Lock.FREE)),
                group,
                index,
                ParticipantEvent.cutFailed("not"));
    }

    private CheckpointState failMark(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        return stepParticipant(
                withProcess(state, group, index, process.withMarking(false)),
                group,
                index,
                ParticipantEvent.markFailed("unknown"));
    }

    private CheckpointState failRemoval(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        return stepParticipant(
                withProcess(state, group, index, process.withRemoving(false)),
                group,
                index,
                ParticipantEvent.unmarkFailed(ID, "unknown"));
    }

    /** The process notices at once; other events may come between the two if it stood still, which are those of a later state. */
    private CheckpointState passDeadline(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        CheckpointState next = stepParticipant(
                withProcess(state, group, index, process.withState(ExploredParticipants.pastDeadline(process.state()))),
                group,
                index,
                ParticipantEvent.ticked());
        NodeProcess after = processAt(next, group, index).orElseThrow();
        boolean isHeld = after.lock() == Lock.HELD && !after.isCutting();
        return isHeld
                ? next.withBrokenRule("C2: " + name(group) + "/" + index + " is frozen beyond its deadline")
                : next;
    }

    private static CheckpointState withProcess(CheckpointState state, int group, int index, NodeProcess process) {
        return state.with(group, state.groups().get(group).withProcess(index, Optional.of(process)));
    }

    private void electionSteps(CheckpointState state, int group, int index, Then<CheckpointState> then) {
        Group members = state.groups().get(group);
        if (!state.left().has("failovers")) {
            return;
        }
        for (int recovered = members.committed(); recovered <= members.log().size(); recovered++) {
            then.become(
                    state.with(group, members.withActive(index, recovered, process(group, members.runs() + 1)))
                            .with(state.left().decrement("failovers")),
                    name(group) + "/" + index + " is active now, and has " + recovered + " entries");
        }
    }

    // ---- Rules ----

    private CheckpointState stepCoordinator(CheckpointState state, CoordinatorEvent event) {
        Lead lead = state.lead();
        Step<CoordinatorState, CoordinatorEffect> step = rules.coordinator().step(lead.state(), event, 0);
        CoordinatorEffects effects = new CoordinatorEffects(
                state.with(new Lead(ExploredCoordinators.canonical(step.next()), lead.outcome(), lead.asked())));
        step.effects().forEach(effect -> effect.dispatch(effects));
        return effects.state;
    }

    private static final class CoordinatorEffects implements CoordinatorEffectHandler<RuntimeException> {

        private CheckpointState state;

        CoordinatorEffects(CheckpointState state) {
            this.state = state;
        }

        @Override
        public void requestClock(String nameservice) {}

        @Override
        public void freeze(String nameservice, FreezeOrder order) {
            int group = group(nameservice);
            int index = state.groups().get(group).active();
            state = state.with(state.lead().withQueryPlace(group, index)).withPacket(new Packet.Freeze(group, index));
        }

        @Override
        public void cut(String nameservice, Grant grant, Agreement agreement) {
            int group = group(nameservice);
            state = state.withPacket(
                    new Packet.MakeCut(group, state.lead().asked().get(group), grant, agreement));
        }

        @Override
        public void abandon(String nameservice, CheckpointId id) {
            int group = group(nameservice);
            int active = state.groups().get(group).active();
            // To whichever is active, too, as the one that was asked may not answer.
            state = state.withPacket(
                            new Packet.Abandon(group, state.lead().asked().getOrDefault(group, active)))
                    .withPacket(new Packet.Abandon(group, active));
        }

        @Override
        public void finish(CheckpointOutcome outcome) {
            Lead lead = state.lead();
            state = state.with(new Lead(lead.state(), Optional.of(outcome.kind()), lead.asked()));
        }
    }

    private CheckpointState stepParticipant(CheckpointState state, int group, int index, ParticipantEvent event) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        Step<ParticipantState, ParticipantEffect> step = rules.participant().step(process.state(), event, 0);
        CheckpointState next =
                withProcess(state, group, index, process.withState(ExploredParticipants.canonical(step.next())));
        ParticipantEffects effects = new ParticipantEffects(next, group, index);
        step.effects().forEach(effect -> effect.dispatch(effects));
        return effects.state;
    }

    private static final class ParticipantEffects implements ParticipantEffectHandler<RuntimeException> {

        private final int group;
        private final int index;
        private CheckpointState state;

        ParticipantEffects(CheckpointState state, int group, int index) {
            this.state = state;
            this.group = group;
            this.index = index;
        }

        private NodeProcess currentProcess() {
            return processAt(state, group, index).orElseThrow();
        }

        private void replaceProcess(NodeProcess process) {
            state = withProcess(state, group, index, process);
        }

        /** What one that is active no more writes is in no log. */
        private void write(Entry entry) {
            Group members = state.groups().get(group);
            if (members.active() == index) {
                state = CheckpointWorld.write(state, group, entry);
            }
        }

        @Override
        public void lock(FreezeOrder order) {
            replaceProcess(currentProcess().withLock(Lock.WAITING));
        }

        @Override
        public void abandonLock() {
            replaceProcess(currentProcess().withLock(Lock.GIVEN_UP));
        }

        @Override
        public void cutSegment(FreezeOrder order) {
            replaceProcess(currentProcess().withLock(Lock.HELD).withCutting(true));
        }

        @Override
        public void unlock(FreezeOrder order) {
            replaceProcess(currentProcess().withLock(Lock.FREE));
        }

        @Override
        public void mark(Manifest manifest) {
            replaceProcess(currentProcess().withMarking(true));
            write(new Entry.Barrier(manifest));
        }

        @Override
        public void removeMark(CheckpointId id) {
            replaceProcess(currentProcess().withRemoving(true));
            List<Entry> log = state.groups().get(group).log();
            boolean isLast = !log.isEmpty() && log.get(log.size() - 1) instanceof Entry.NoBarrier;
            if (!isLast) {
                write(new Entry.NoBarrier());
            }
        }

        @Override
        public void answerFrozen(long request, Grant grant) {
            state = state.withPacket(new Packet.Frozen(group, grant));
        }

        @Override
        public void answerCut(long request, Cut cut) {
            state = state.withPacket(new Packet.CutDone(group, cut));
        }

        @Override
        public void answerAbandoned(long request, CheckpointId id) {
            state = state.withPacket(new Packet.Abandoned(group));
        }

        @Override
        public void refuse(long request, String reason) {
            state = state.withPacket(new Packet.Refused(group));
        }
    }

    // ---- What must hold ----

    @Override
    protected Optional<String> findViolation(CheckpointState state) {
        if (!state.broken().isEmpty()) {
            return Optional.of(state.broken());
        }
        boolean counts = state.groups().stream()
                .allMatch(group -> group.committedBarrier().isPresent());
        Optional<CheckpointOutcome.Kind> outcome = state.lead().outcome();
        if (outcome.isPresent() && outcome.get() == CheckpointOutcome.Kind.COMPLETE && !counts) {
            return Optional.of("C3: what was reported complete does not count");
        }
        if (outcome.isPresent() && outcome.get() == CheckpointOutcome.Kind.FAILED && counts) {
            return Optional.of("C4: what was reported failed counts");
        }
        Client client = state.client();
        boolean hasEffectOnly = counts
                && client.written() == 2
                && state.groups().get(1 - client.first()).includesAtBarrier(EFFECT)
                && !state.groups().get(client.first()).includesAtBarrier(CAUSE);
        if (hasEffectOnly) {
            return Optional.of("C1: the checkpoint has the effect without its cause");
        }
        return findHanging(state);
    }

    /** Who does not end by its own clock, when no message arrives any more and all that is under way fails. */
    private Optional<String> findHanging(CheckpointState state) {
        if (isLeading(state) && !ending.computeIfAbsent(state.lead().state(), lead -> terminates(state))) {
            return Optional.of("C5: the coordinator waits for ever");
        }
        for (int group = 0; group < GROUPS; group++) {
            for (int index = 0; index < PLACES; index++) {
                Optional<NodeProcess> process = processAt(state, group, index);
                int in = group;
                int of = index;
                if (process.isPresent()
                        && !releasing.computeIfAbsent(process.get(), ignored -> releases(state, in, of))) {
                    return Optional.of("C2: " + name(group) + "/" + index + " stays frozen when nothing more arrives");
                }
            }
        }
        return Optional.empty();
    }

    private boolean terminates(CheckpointState from) {
        CheckpointState state = from;
        for (int round = 0; round < SETTLED_WITHIN && isLeading(state); round++) {
            state = stepCoordinator(passCoordinatorDeadline(state), CoordinatorEvent.ticked());
        }
        return !isLeading(state);
    }

    private boolean releases(CheckpointState from, int group, int index) {
        CheckpointState state = from;
        for (int round = 0; round < SETTLED_WITHIN; round++) {
            state = failPending(state, group, index);
        }
        NodeProcess process = processAt(state, group, index).orElseThrow();
        return process.lock() == Lock.FREE
                && !process.isCutting()
                && !process.isMarking()
                && !process.isRemoving()
                && process.state().stage() == ParticipantStage.IDLE;
    }

    private CheckpointState failPending(CheckpointState state, int group, int index) {
        NodeProcess process = processAt(state, group, index).orElseThrow();
        if (process.lock() == Lock.WAITING || process.lock() == Lock.GIVEN_UP) {
            return failLock(state, group, index);
        }
        if (process.isCutting()) {
            return failCut(state, group, index);
        }
        if (process.isMarking()) {
            return failMark(state, group, index);
        }
        return process.isRemoving()
                ? failRemoval(state, group, index)
                : stepParticipant(
                        withProcess(
                                state,
                                group,
                                index,
                                process.withState(ExploredParticipants.pastDeadline(process.state()))),
                        group,
                        index,
                        ParticipantEvent.ticked());
    }
}
