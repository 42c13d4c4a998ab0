/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.explore.MoveCalls.Call;
import io.trefoil.federation.move.explore.MoveCalls.CallFailedException;
import io.trefoil.federation.move.explore.MoveCalls.DeliveryKind;
import io.trefoil.federation.move.explore.MoveCalls.MoverStep;
import io.trefoil.federation.move.rules.MoveEffect;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MoveOrder;
import io.trefoil.federation.move.rules.MoveOrder.Goal;
import io.trefoil.federation.move.rules.MoveStage;
import io.trefoil.federation.move.rules.MoveState;
import io.trefoil.foundation.RuleDriver;
import io.trefoil.foundation.Step;
import io.trefoil.foundation.explore.PartWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A subtree of one file that is moved from one nameservice to another, with the rules that ship: processes of which any may end, or stand
 * still while another has its lock, at each call; calls that fail, or whose answer is lost; and clients.
 */
final class MoveWorld extends PartWorld<MoveWorld.Scene> {

    /**
     * A state.
     *
     * @param movers processes that have not ended
     * @param holder which of them has the lock; {@link #NOBODY} if none
     */
    record Scene(Places places, List<Optional<Mover>> movers, int holder, WorldBounds left) {}

    private static final int NOBODY = -1;
    private static final int SLOTS = 2;
    private static final int MAX_CALLS = 400;
    private static final int MAX_ATTEMPTS = 6;

    private final RuleDriver.Rules<MoveState, MoveEvent, MoveEffect> rules;
    private final WorldBounds bounds;
    private final boolean hasGates;
    private final Map<Places, Optional<String>> ends = new HashMap<>();
    private final Map<MoveEffect, List<Call>> calls = new HashMap<>();

    MoveWorld(RuleDriver.Rules<MoveState, MoveEvent, MoveEffect> rules, WorldBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.hasGates = bounds.has("gates");
    }

    @Override
    protected Scene initialState() {
        Places places = new Places();
        places.directories[0].isThere = true;
        places.directories[0].content = places.nextContent();
        places.notified = places.directories[0].content;
        return new Scene(places, List.of(Optional.empty(), Optional.empty()), NOBODY, bounds);
    }

    @Override
    protected List<Object> split(Scene scene) {
        return List.of(scene.places(), scene.movers().get(0), scene.movers().get(1), scene.holder(), scene.left());
    }

    @Override
    @SuppressWarnings("unchecked")
    protected Scene join(List<Object> parts) {
        return new Scene(
                (Places) parts.get(0),
                List.of((Optional<Mover>) parts.get(1), (Optional<Mover>) parts.get(2)),
                (Integer) parts.get(3),
                (WorldBounds) parts.get(4));
    }

    // ---- What can happen ----

    @Override
    protected void forEachStep(Scene scene, Then<Scene> then) {
        for (int slot = 0; slot < SLOTS; slot++) {
            Optional<Mover> mover = scene.movers().get(slot);
            if (mover.isPresent()) {
                callSteps(scene, slot, mover.get(), then);
                then.become(without(scene, slot), "process " + slot + " ends");
            } else if (scene.left().has("processes")) {
                startProcess(scene, slot, then);
            }
        }
        clientSteps(scene, then);
    }

    private static Scene without(Scene scene, int slot) {
        List<Optional<Mover>> movers = new ArrayList<>(scene.movers());
        movers.set(slot, Optional.empty());
        return new Scene(
                scene.places(), List.copyOf(movers), scene.holder() == slot ? NOBODY : scene.holder(), scene.left());
    }

    /** Another process takes the lock, also from one that stands still. */
    private void startProcess(Scene scene, int slot, Then<Scene> then) {
        if (slot == 1 && scene.movers().get(0).isEmpty()) {
            // It makes no difference which of the two it is.
            return;
        }
        for (Goal goal : Goal.values()) {
            boolean isWanted = goal == Goal.MOVE
                    || (goal == Goal.ABORT
                            ? scene.places().record.isPresent()
                            : scene.left().has("keeps"));
            if (isWanted) {
                List<Optional<Mover>> movers = new ArrayList<>(scene.movers());
                movers.set(slot, Optional.of(newMover(scene.places(), goal)));
                WorldBounds left = scene.left().decrement("processes");
                then.become(
                        new Scene(
                                scene.places(),
                                List.copyOf(movers),
                                slot,
                                goal == Goal.MOVE_AND_KEEP ? left.decrement("keeps") : left),
                        "process " + slot + " begins to " + goal);
            }
        }
    }

    private Mover newMover(Places places, Goal goal) {
        Mover mover = new Mover();
        mover.record = places.record.orElseGet(
                () -> WrittenMove.request(places.table.size() * 10 + places.ended.size() + 1, places.owner()));
        MoveOrder order = MoveOrder.of(goal, "ns" + mover.record.source(), "ns" + mover.record.target());
        mover.state = MoveState.of(goal == Goal.ABORT ? order : order.withMaxPauses(2));
        mover.staged = places.directories[mover.record.target()].number;
        mover.answer(MoveEvent.begun());
        settle(mover);
        return mover;
    }

    /** Steps the rules until there is a call to make. */
    private void settle(Mover mover) {
        while (mover.calls == 0
                && (!mover.effects.isEmpty() || !mover.events.isEmpty())
                && (mover.effects.isEmpty() || callsOf(mover.effects.get(0)).isEmpty())) {
            if (!mover.effects.isEmpty()) {
                mover.effects = mover.effects.subList(1, mover.effects.size());
            } else {
                Step<MoveState, MoveEffect> step = rules.step(mover.state, mover.events.get(0));
                mover.events = mover.events.subList(1, mover.events.size());
                mover.state = step.next();
                mover.effects = step.effects();
            }
        }
    }

    private List<Call> callsOf(MoveEffect effect) {
        return calls.computeIfAbsent(effect, wanted -> {
            MoveCalls found = new MoveCalls(hasGates);
            wanted.dispatch(found);
            return found.pendingCalls();
        });
    }

    private static boolean hasEnded(Mover mover) {
        return mover.state.stage() == MoveStage.ENDED && mover.effects.isEmpty();
    }

    private void callSteps(Scene scene, int slot, Mover mover, Then<Scene> then) {
        Call call = callsOf(mover.effects.get(0)).get(mover.calls);
        String who = "process " + slot + ": " + call.name();
        boolean hasLock = scene.holder() == slot;
        if (call.kind() != DeliveryKind.FREE && !mover.isSent && !hasLock) {
            then.become(afterAnswer(scene, slot, (turn, ignored) -> fail(turn)), who + " needs the lock");
            return;
        }
        if (call.kind() == DeliveryKind.LATE && !mover.isSent && bounds.has("lates")) {
            Mover sent = mover.copy();
            sent.isSent = true;
            sent.isCurrent = true;
            then.become(withMover(scene, slot, sent), who + " leaves");
            return;
        }
        then.become(afterAnswer(scene, slot, (turn, one) -> perform(turn, one)), who);
        if (scene.left().has("failures")) {
            Scene failing = new Scene(
                    scene.places(), scene.movers(), scene.holder(), scene.left().decrement("failures"));
            then.become(afterAnswer(failing, slot, (turn, ignored) -> fail(turn)), who + " fails");
            then.become(
                    afterAnswer(failing, slot, (turn, one) -> {
                        perform(turn, one);
                        fail(turn);
                    }),
                    who + " is not answered");
        }
    }

    private static Scene withMover(Scene scene, int slot, Mover mover) {
        List<Optional<Mover>> movers = new ArrayList<>(scene.movers());
        movers.set(slot, Optional.of(mover));
        return new Scene(scene.places(), List.copyOf(movers), scene.holder(), scene.left());
    }

    /** What becomes of a call. */
    private interface Answer {
        void answer(MoverStep turn, Call call);
    }

    private Scene afterAnswer(Scene scene, int slot, Answer answer) {
        Mover mover = scene.movers().get(slot).orElseThrow().copy();
        List<Optional<Mover>> movers = new ArrayList<>();
        List<Mover> others = new ArrayList<>();
        for (int other = 0; other < SLOTS; other++) {
            Optional<Mover> copy = other == slot
                    ? Optional.of(mover)
                    : scene.movers().get(other).map(Mover::copy);
            movers.add(copy);
            if (other != slot) {
                copy.ifPresent(others::add);
            }
        }
        Places places = scene.places().copy();
        Call call = callsOf(mover.effects.get(0)).get(mover.calls);
        if (!mover.isSent) {
            mover.isCurrent = true;
        }
        mover.isSent = false;
        answer.answer(new MoverStep(places, mover, scene.holder() == slot, others), call);
        settle(mover);
        Scene next = new Scene(places, List.copyOf(movers), scene.holder(), scene.left());
        return hasEnded(mover) ? without(next, slot) : next;
    }

    private void perform(MoverStep turn, Call call) {
        Mover mover = turn.mover;
        try {
            call.action().perform(turn);
            mover.calls++;
            if (mover.calls == callsOf(mover.effects.get(0)).size()) {
                mover.effects = mover.effects.subList(1, mover.effects.size());
                mover.calls = 0;
            }
        } catch (CallFailedException e) {
            fail(turn);
        }
        mover.isCurrent = false;
    }

    private static void fail(MoverStep turn) {
        turn.mover.effects = List.of();
        turn.mover.events = List.of();
        turn.mover.calls = 0;
        turn.mover.isCurrent = false;
        turn.mover.answer(MoveEvent.failed());
    }

    // ---- Clients ----

    /** A change of the places by a process that is no mover. */
    private interface Work {
        void change(Places places, ExploredDirectory directory);
    }

    private void clientSteps(Scene scene, Then<Scene> then) {
        for (int nameservice = 0; nameservice < SLOTS; nameservice++) {
            ExploredDirectory directory = scene.places().directories[nameservice];
            String where = " at ns" + nameservice;
            boolean isClients =
                    nameservice == scene.places().owner() || scene.places().hasMoved();
            boolean isWritable = isClients && directory.isWritable() && !directory.isOpen;
            if (isWritable
                    && scene.left().has("writes")
                    && (directory.content != ExploredDirectory.NO_FILE || !directory.isFenced)) {
                then.become(
                        afterClientWork(scene, "writes", nameservice, (places, at) -> {
                            at.content = places.nextContent();
                            places.notified = at.content;
                        }),
                        "a client writes" + where);
            }
            if (isWritable && scene.left().has("deletions") && directory.content != ExploredDirectory.NO_FILE) {
                then.become(
                        afterClientWork(scene, "deletions", nameservice, (places, at) -> {
                            at.content = ExploredDirectory.NO_FILE;
                            places.notified = ExploredDirectory.NO_FILE;
                        }),
                        "a client deletes" + where);
            }
            if (isWritable && scene.left().has("opens") && directory.content != ExploredDirectory.NO_FILE) {
                then.become(
                        afterClientWork(scene, "opens", nameservice, (places, at) -> at.isOpen = true),
                        "a client opens" + where);
            }
            if (directory.isOpen) {
                // Calls of an open file are not checked against permissions.
                then.become(withDirectoryClosed(scene, nameservice), "a client closes its file" + where);
            }
            if (isWritable && !directory.isFenced && scene.left().has("permissions")) {
                then.become(
                        afterClientWork(scene, "permissions", nameservice, (places, at) -> {
                            at.permission++;
                            places.permission = at.permission;
                        }),
                        "a client changes the permission" + where);
            }
            if (directory.isClosed
                    && nameservice == scene.places().owner()
                    && directory.content != ExploredDirectory.NO_FILE
                    && scene.left().has("superusers")) {
                then.become(
                        afterClientWork(scene, "superusers", nameservice, (places, at) -> {
                            at.content = places.nextContent();
                            places.notified = at.content;
                            places.superusers = at.content;
                        }),
                        "a superuser writes" + where);
            }
            if (directory.frozenFor != 0 && scene.left().has("thaws")) {
                then.become(
                        afterClientWork(scene, "thaws", nameservice, (places, at) -> at.unfreeze()),
                        "the freeze ends" + where);
            }
        }
        if (scene.left().has("versions")) {
            then.become(
                    afterClientWork(
                            scene, "versions", 0, (places, at) -> places.append(new Places.Version(places.owner(), 0))),
                    "others make a version");
        }
    }

    private static Scene afterClientWork(Scene scene, String name, int nameservice, Work task) {
        Places places = scene.places().copy();
        task.change(places, places.directories[nameservice]);
        return new Scene(places, scene.movers(), scene.holder(), scene.left().decrement(name));
    }

    private static Scene withDirectoryClosed(Scene scene, int nameservice) {
        Places places = scene.places().copy();
        close(places, places.directories[nameservice]);
        return new Scene(places, scene.movers(), scene.holder(), scene.left());
    }

    private static void close(Places places, ExploredDirectory directory) {
        directory.isOpen = false;
        directory.content = places.nextContent();
        places.notified = directory.content;
    }

    // ---- What must hold ----

    @Override
    protected Optional<String> findViolation(Scene scene) {
        Places places = scene.places();
        ExploredDirectory owner = places.directories[places.owner()];
        ExploredDirectory other = places.directories[1 - places.owner()];
        boolean isUsed = places.hasMoved() || other.content != ExploredDirectory.NO_FILE;
        if (isUsed && owner.isReadable() && other.isReadable()) {
            return Optional.of("M1: clients can use both directories");
        }
        for (int nameservice = 0; nameservice < SLOTS; nameservice++) {
            ExploredDirectory directory = places.directories[nameservice];
            boolean isRead = (nameservice == places.owner() || places.hasMoved())
                    && directory.isReadable()
                    && !directory.isOpen
                    && places.superusers == ExploredDirectory.NO_FILE;
            if (isRead && directory.content != places.notified) {
                return Optional.of("M2: a client of ns" + nameservice + " reads " + directory.content + ", told "
                        + places.notified);
            }
        }
        return ends.computeIfAbsent(places, this::findEndViolation);
    }

    /** What is wrong if all processes end now, and others complete the move, or undo it. */
    private Optional<String> findEndViolation(Places from) {
        Optional<String> completed = findEndViolation(from, Goal.MOVE);
        return completed.isPresent() || from.record.isEmpty() ? completed : findEndViolation(from, Goal.ABORT);
    }

    private Optional<String> findEndViolation(Places from, Goal goal) {
        Places places = from.copy();
        Goal next = goal;
        for (int attempt = 0; attempt < MAX_ATTEMPTS && places.record.isPresent(); attempt++) {
            for (ExploredDirectory directory : places.directories) {
                directory.unfreeze();
                if (directory.isOpen) {
                    close(places, directory);
                }
            }
            places = runAlone(places, next);
            next = Goal.MOVE;
        }
        if (places.record.isPresent()) {
            ExploredDirectory kept = places.directories[1 - places.owner()];
            boolean isKept = places.superusers != ExploredDirectory.NO_FILE && kept.content == places.superusers;
            return isKept ? Optional.empty() : Optional.of("M4: the move does not end when it is to " + goal);
        }
        for (ExploredDirectory directory : places.directories) {
            // A freeze that came late ends by itself.
            directory.unfreeze();
        }
        return findViolation(places, goal);
    }

    /** One process that nothing disturbs. */
    private Places runAlone(Places places, Goal goal) {
        Scene scene =
                new Scene(places.copy(), List.of(Optional.of(newMover(places, goal)), Optional.empty()), 0, bounds);
        for (int call = 0; call < MAX_CALLS && scene.movers().get(0).isPresent(); call++) {
            scene = afterAnswer(scene, 0, this::perform);
        }
        return scene.places();
    }

    /** What is wrong when no move is under way. */
    private Optional<String> findViolation(Places places, Goal goal) {
        ExploredDirectory owner = places.directories[places.owner()];
        ExploredDirectory former = places.directories[1 - places.owner()];
        Map<String, Boolean> all = new LinkedHashMap<>();
        all.put("the owner has what clients were told", owner.isOpen || owner.content == places.notified);
        all.put("the other one has nothing", former.content == ExploredDirectory.NO_FILE);
        all.put("clients can use the owner's directory", owner.isWritable());
        all.put("the permission is the last that a client has set", owner.permission == places.permission);
        all.put("nothing is left of the move", !former.isClosed && former.staging == 0 && !owner.isFenced);
        all.put("who gave it away is sealed", !places.hasMoved() || former.isSealed);
        all.put("who gave it away says so", !places.hasMoved() || !hasGates || former.movedTo == places.owner());
        return all.entrySet().stream()
                .filter(one -> !one.getValue())
                .map(one -> "M3: not true that " + one.getKey() + ", after all was to " + goal + ": owner " + owner
                        + ", other " + former)
                .findFirst();
    }
}
