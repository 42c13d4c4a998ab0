/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Memo;
import io.trefoil.foundation.explore.NumberedList;
import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.peer.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What becomes of what happens to a writer, computed once for each. A writer that has to choose between two nodes that are equal to it takes
 * the one that it knew first, by the order of its settings. So each step is taken with each order of nodes that are interchangeable: the
 * states that follow two which differ by names alone differ by names alone, too.
 */
final class WriterSteps {

    /** What can happen to a writer, with a node and one more number. */
    enum Kind {
        TERM_ASKED,
        TICKED,
        APPEND_ASKED,
        ANNOUNCED,
        LOADED,
        LOAD_FAILED,
        REPLIED,
        CONNECTED,
        DISCONNECTED,
        AGED,
        JUMPED,
        LOOKED,
        REMOVAL_ASKED,
        ADDITION_ASKED,
        BARRIER_ASKED,
        RELEASE_ASKED,
        PURGE_ASKED,
        DISCARD_ASKED,
        READS_WANTED
    }

    /** What a writer's step makes of the world. */
    static final class Outcome {
        final int writer;
        /** To which something is sent, in ascending order. */
        final int[] nodes;
        /** What is sent to each of the nodes. */
        final int[] requests;
        /** What is true from now on. */
        final List<WriterDriver.Fact> facts;
        /** Whether the writer has ended. */
        final boolean over;
        /** Whether an observer that asked for it may read. */
        final boolean grants;

        Outcome(int writer, int[] nodes, int[] requests, List<WriterDriver.Fact> facts, boolean over, boolean grants) {
            this.writer = writer;
            this.nodes = nodes;
            this.requests = requests;
            this.facts = facts;
            this.over = over;
            this.grants = grants;
        }

        private boolean isSameAs(Outcome other) {
            return writer == other.writer
                    && Arrays.equals(nodes, other.nodes)
                    && Arrays.equals(requests, other.requests)
                    && facts.size() == other.facts.size()
                    && grants == other.grants;
        }
    }

    private static final Codes<Kind> KINDS = new Codes<>(Kind.class);

    private final ExploredRules rules;
    private final Bounds bounds;
    private final WorldParts parts;
    private final long tickNanos;
    private final long jumpNanos;
    private final List<NodeAddress> addresses;
    private final NumberedList<Outcome> outcomes = new NumberedList<>();
    private final NumberedList<int[]> steps = new NumberedList<>();
    private final Memo stepBy;
    private final Memo pastBy;

    WriterSteps(ExploredRules rules, Bounds bounds, WorldParts parts, long tickNanos) {
        this.rules = rules;
        this.bounds = bounds;
        this.parts = parts;
        this.tickNanos = tickNanos;
        jumpNanos = tickNanos / JournalWorld.JUMPS_OF_TICK;
        this.addresses = parts.addresses;
        stepBy = parts.memory.memo(key -> steps.add(perform(
                parts.writers.get((int) (key >>> 32)),
                KINDS.get((int) key & 31),
                (int) (key >>> 5) & 7,
                (int) (key & 0xffffffffL) >>> 8)));
        pastBy = parts.memory.memo(
                key -> parts.past(pastAfter(parts.pasts.get((int) (key >>> 32)), get((int) (key & 0xffffffffL)))));
    }

    /** The numbers of all that may become of it: mostly one. */
    int[] outcomesOf(int writer, Kind kind, int node, int other) {
        return steps.get(
                stepBy.get(((long) writer << 32) | ((long) other << 8) | ((long) node << 5) | KINDS.codeOf(kind)));
    }

    Outcome get(int outcome) {
        return outcomes.get(outcome);
    }

    /** A writer for which a tick has passed. */
    int age(int writer) {
        return get(outcomesOf(writer, Kind.AGED, 0, 0)[0]).writer;
    }

    /** A writer whose clock alone has gone on. */
    int jump(int writer) {
        return get(outcomesOf(writer, Kind.JUMPED, 0, 0)[0]).writer;
    }

    /** The past behind a step. */
    int pastAfter(int past, int outcome) {
        return pastBy.get(((long) past << 32) | outcome);
    }

    private static History pastAfter(History before, Outcome step) {
        History after = before;
        for (WriterDriver.Fact fact : step.facts) {
            after = fact.applyTo(after);
        }
        return after;
    }

    /** A writer's state as the world keeps it. */
    WriterState normalize(WriterState state) {
        return bounds.has(Bound.CLOCKS)
                ? WriterTimes.shiftTimes(state, time -> time)
                : WriterTimes.resetTimes(state, JournalWorld.NOW - tickNanos);
    }

    private int[] perform(WriterPart part, Kind kind, int node, int other) {
        if (kind == Kind.AGED || kind == Kind.JUMPED) {
            long nanos = kind == Kind.AGED ? tickNanos : jumpNanos;
            long oldest = JournalWorld.NOW - JournalWorld.MAX_TICK_AGE * tickNanos;
            WriterState older = WriterTimes.shiftTimes(part.state(), time -> Math.max(time - nanos, oldest));
            Outcome aged = new Outcome(parts.writer(part.with(older)), new int[0], new int[0], List.of(), false, false);
            return new int[] {outcomes.add(aged)};
        }
        List<Outcome> different = new ArrayList<>();
        for (List<NodeAddress> order : parts.addressOrders) {
            WriterPart reordered =
                    order.equals(addresses) ? part : part.with(WriterTimes.reorderPeers(part.state(), order));
            Outcome outcome = perform(reordered, kind, node, other, order);
            if (different.stream().noneMatch(outcome::isSameAs)) {
                different.add(outcome);
            }
        }
        return different.stream().mapToInt(outcomes::add).toArray();
    }

    private Outcome perform(WriterPart part, Kind kind, int node, int other, List<NodeAddress> order) {
        WriterDriver driver = new WriterDriver(rules.writer(), part, JournalWorld.NOW, kind == Kind.ADDITION_ASKED);
        switch (kind) {
            case TERM_ASKED -> driver.step(WriterEvent.termRequested());
            case TICKED -> driver.step(WriterEvent.ticked());
            case LOOKED -> {
                driver.markBusy();
                driver.step(WriterEvent.ticked());
            }
            case REMOVAL_ASKED ->
                WriterTimes.members(part.state())
                        .findByAddress(addresses.get(JournalWorld.LOSER))
                        .ifPresent(member -> {
                            driver.markBusy();
                            forwardChange(driver, MemberChange.remove("removal", member.id()), order);
                            driver.step(WriterEvent.ticked());
                        });
            case ADDITION_ASKED -> {
                driver.markBusy();
                forwardChange(driver, MemberChange.add("addition", addresses.get(JournalWorld.LOSER)), order);
                driver.step(WriterEvent.ticked());
            }
            case APPEND_ASKED -> {
                long txId = part.state().end().lastTxId() + 1;
                driver.step(WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.EMPTY));
            }
            case BARRIER_ASKED -> {
                Barrier barrier = Barrier.of("barrier", part.state().end().lastTxId(), 1, "");
                if (part.state().refusalReason(barrier).isEmpty()) {
                    driver.step(WriterEvent.appendRequested(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload()));
                }
            }
            case RELEASE_ASKED -> {
                if (part.state().end().barriers().find("barrier").isPresent()) {
                    driver.step(WriterEvent.appendRequested(
                            EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8("barrier")));
                }
            }
            case PURGE_ASKED ->
                driver.step(WriterEvent.purgeRequested(part.state().end().lastTxId() + 1));
            case DISCARD_ASKED -> {
                long lastTxId = part.state().end().lastTxId();
                if (lastTxId > 0) {
                    driver.step(WriterEvent.appendRequested(EntryKind.DISCARD, TxRange.of(1, lastTxId), Bytes.EMPTY));
                }
            }
            case READS_WANTED -> driver.step(WriterEvent.readsWanted(NodeId.of("node-" + node)));
            case ANNOUNCED ->
                driver.step(WriterEvent.announceDelayPassed(part.state().committedSn()));
            case LOADED -> driver.load(part.loads().get(node), parts.nodes.get(other));
            case LOAD_FAILED -> driver.loadFailed(part.loads().get(node));
            case REPLIED -> {
                Session.Answer answer = parts.replies.get(other);
                driver.step(WriterEvent.replied(
                        addresses.get(node),
                        answer.reply(),
                        JournalWorld.NOW - answer.age() * jumpNanos,
                        part.state().leaseMillis()));
            }
            case CONNECTED -> {
                Disk disk = parts.nodes.get(other).disk();
                driver.step(WriterEvent.peerConnected(
                        addresses.get(node),
                        disk.node(),
                        disk.isFormatted(),
                        disk.promise().epoch()));
            }
            case DISCONNECTED -> driver.step(WriterEvent.peerDisconnected(addresses.get(node)));
            default -> throw new AssertionError(kind);
        }
        WriterPart next = driver.part();
        WriterState state = order.equals(addresses) ? next.state() : WriterTimes.reorderPeers(next.state(), addresses);
        return new Outcome(
                parts.writer(next.with(normalize(state))),
                driver.nodes(),
                driver.requests().stream()
                        .mapToInt(request -> parts.requests.numberOf(new Session.Sent(request, 0)))
                        .toArray(),
                List.copyOf(driver.facts()),
                next.state().hasEnded(),
                kind == Kind.READS_WANTED
                        && next.state().grantsReads(NodeId.of("node-" + node), JournalWorld.NOW)
                        && rules.readers().isAlone().test(next.state()));
    }

    /** A node passes on what an operator asks for. */
    private static void forwardChange(WriterDriver driver, MemberChange change, List<NodeAddress> order) {
        WriterState state = driver.part().state();
        for (NodeAddress address : order) {
            Peer peer = WriterTimes.peer(state, address);
            if (peer.connected()) {
                driver.step(WriterEvent.replied(
                        address, ChangesReply.of(peer.node().get(), List.of(change)), JournalWorld.NOW, 0));
                return;
            }
        }
    }
}
