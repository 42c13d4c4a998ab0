/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Steps the rules of a writer with the events of a trace, and compares what they ask for with what the trace says was done: each
 * request sent once, in its order and not late, nothing told to a caller before the rules did, and no lease longer than they gave.
 */
public final class WriterReplay {

    /** A request leaves on the thread that also ticks, so within fewer ticks than this. */
    private static final int MAX_TICKS = 20;

    private static final int MAX_STATES = 1_000;
    private static final long MAX_REQUEST_BYTES = 32L << 20;

    private Optional<WriterState> state = Optional.empty();
    private WriterSettings settings;
    /** What the rules asked for that is done within the step. */
    private final Deque<String> wanted = new ArrayDeque<>();

    private final Map<NodeAddress, Deque<Unsent>> unsent = new HashMap<>();
    private final Map<NodeAddress, PendingLoads> loads = new HashMap<>();
    private final TreeMap<Long, Entry> memory = new TreeMap<>();
    private final Deque<WriterState> newest = new ArrayDeque<>();
    private LogPosition beforeMemory = LogPosition.ORIGIN;
    private Optional<Long> leaseUntilNanos = Optional.empty();
    private Optional<Long> aloneUntilNanos = Optional.empty();
    private Optional<Long> unannouncedTick = Optional.empty();
    private long committedSn;
    private long acknowledgedSn;
    private long ticks;
    private long events;

    /** @param any what may be sent: events do not tell the loads of one node apart */
    private record Unsent(List<String> any, boolean replaceable, long tick) {
        String what() {
            return String.join(" or ", any);
        }
    }

    private record Load(NodeAddress from, EntryRange range, AppendTerms terms, boolean sent) {
        boolean mayEndAt(long lastSn) {
            return range.prevSn() < lastSn && lastSn <= range.lastSn();
        }

        String partUpTo(long lastSn) {
            return entries(terms, range.prevSn(), lastSn);
        }
    }

    /** The loads for one node. Where an event may be of several, none is taken away, until all have ended. */
    private static final class PendingLoads {
        private final List<Load> open = new ArrayList<>();
        private int pending;

        void begin(Load load) {
            open.add(load);
            pending++;
        }

        void end(NodeAddress to, Object event) {
            if (pending == 0) {
                throw new DriverFault("loads for " + to + " what nobody asked for: " + event);
            }
            pending--;
            if (pending == 0) {
                open.clear();
            }
        }

        List<Load> find(Predicate<Load> wanted) {
            return open.stream().filter(wanted).toList();
        }

        void removeIfOnlyOne(List<Load> some) {
            if (some.size() == 1) {
                open.remove(some.get(0));
            }
        }

        /** A part left before the rules heard of it. */
        void markSent(Load load) {
            open.set(open.indexOf(load), new Load(load.from(), load.range(), load.terms(), true));
        }
    }

    /** How many events were replayed. */
    public long events() {
        return events;
    }

    public void began(WriterSettings with, long nowNanos) {
        settings = with;
        state = Optional.of(WriterState.newConnecting(with, nowNanos));
    }

    /** The rules see an event. */
    public void saw(long digest, WriterEvent event, long nowNanos) {
        events++;
        expectDone("before " + event);
        WriterState before = now();
        if (before.digest() != digest) {
            throw new DriverFault("steps the rules from another state than " + before.describe() + ": " + event);
        }
        expectSent(event);
        Step<WriterState, WriterEffect> step = Writer.step(before, event, nowNanos);
        state = Optional.of(step.next());
        newest.add(step.next());
        if (newest.size() > MAX_STATES) {
            newest.remove();
        }
        leaseUntilNanos = later(leaseUntilNanos, step.next().leaseUntilNanos());
        aloneUntilNanos = later(aloneUntilNanos, step.next().soleWriterUntilNanos());
        for (WriterEffect effect : step.effects()) {
            effect.dispatch(new ExpectedEffects());
        }
    }

    private WriterState now() {
        return state.orElseThrow(() -> new DriverFault("has no state"));
    }

    private static Optional<Long> later(Optional<Long> one, Optional<Long> other) {
        return one.isEmpty() || (other.isPresent() && other.get() - one.get() > 0) ? other : one;
    }

    /** What drivers owe from one event to a later one. */
    private void expectSent(WriterEvent event) {
        if (event instanceof WriterEvent.Ticked) {
            ticks++;
            unsent.forEach((to, requests) -> {
                if (!isLocal(to)
                        && !requests.isEmpty()
                        && ticks - requests.peek().tick() > MAX_TICKS) {
                    throw new DriverFault("has not sent to " + to + " in time: "
                            + requests.peek().what());
                }
            });
            if (unannouncedTick.filter(tick -> ticks - tick > MAX_TICKS).isPresent()) {
                throw new DriverFault("does not announce what is committed: " + committedSn);
            }
        }
        if (event instanceof WriterEvent.AnnounceDelayPassed passed && passed.sn() >= committedSn) {
            unannouncedTick = Optional.empty();
        }
        if (event instanceof WriterEvent.PartSent part) {
            partSent(part.address(), part.lastSn());
        }
        if (event instanceof WriterEvent.LoadFailed failed) {
            loadEnded(failed.address(), load -> load.from().equals(failed.source()), event);
        }
        if (event instanceof WriterEvent.LoadPurged purged) {
            loadEnded(purged.address(), load -> true, event);
        }
    }

    private void partSent(NodeAddress to, long lastSn) {
        PendingLoads all = loadsFor(to);
        List<Load> sent = all.find(load -> load.sent() && load.mayEndAt(lastSn));
        if (!sent.isEmpty()) {
            all.removeIfOnlyOne(sent.subList(0, 1));
        } else {
            List<Load> fitting = all.find(load -> load.mayEndAt(lastSn));
            if (fitting.isEmpty()) {
                throw new DriverFault("loads for " + to + " what nobody asked for: a part up to " + lastSn);
            }
            List<String> any =
                    fitting.stream().map(load -> load.partUpTo(lastSn)).toList();
            unsentTo(to).add(new Unsent(any, false, ticks));
            all.removeIfOnlyOne(fitting);
        }
        all.end(to, "a part up to " + lastSn);
    }

    private void loadEnded(NodeAddress to, Predicate<Load> fits, Object event) {
        PendingLoads all = loadsFor(to);
        all.removeIfOnlyOne(all.find(load -> !load.sent() && fits.test(load)));
        all.end(to, event);
    }

    private PendingLoads loadsFor(NodeAddress to) {
        return loads.computeIfAbsent(to, address -> new PendingLoads());
    }

    /** Entries leave, the last of them after all those that the range has. */
    public void sentEntries(NodeAddress to, AppendRequest request, LogPosition last, int count) {
        AppendTerms terms = terms(request);
        long prevSn = request.prev().sn();
        if (last.sn() != prevSn + count) {
            throw new DriverFault("sends " + count + " entries after " + prevSn + " up to " + last);
        }
        Optional<LogPosition> known = positionOf(prevSn);
        Optional<LogPosition> lastKnown = positionOf(last.sn());
        if ((known.isPresent() && !known.get().equals(request.prev()))
                || (lastKnown.isPresent() && count > 0 && !lastKnown.get().equals(last))) {
            throw new DriverFault("sends other entries than it remembers: " + request.prev() + " to " + last);
        }
        String operation = entries(terms, prevSn, last.sn());
        if (!isNext(to, operation) && sendsLoad(to, terms, prevSn, last.sn())) {
            return;
        }
        sent(to, operation);
    }

    private AppendTerms terms(AppendRequest request) {
        return AppendTerms.of(
                request.incarnation(),
                request.epoch(),
                settings.writer(),
                settings.leaseMillis(),
                request.committedPosition(),
                request.lastSn());
    }

    /** A part may leave before the rules hear of it. */
    private boolean sendsLoad(NodeAddress to, AppendTerms terms, long prevSn, long lastSn) {
        PendingLoads all = loadsFor(to);
        String part = entries(terms, prevSn, lastSn);
        List<Load> fitting = all.find(load ->
                !load.sent() && load.mayEndAt(lastSn) && load.partUpTo(lastSn).equals(part));
        if (fitting.isEmpty()) {
            return false;
        }
        all.markSent(fitting.get(0));
        return true;
    }

    private Optional<LogPosition> positionOf(long sn) {
        return sn == beforeMemory.sn()
                ? Optional.of(beforeMemory)
                : Optional.ofNullable(memory.get(sn)).map(Entry::position);
    }

    /** A request without entries leaves. */
    public void sent(NodeAddress to, PoolRequest request) {
        sent(to, request.toString());
    }

    private boolean isNext(NodeAddress to, String operation) {
        Iterator<Unsent> oldestFirst = unsentTo(to).iterator();
        while (oldestFirst.hasNext()) {
            Unsent one = oldestFirst.next();
            if (one.any().contains(operation)) {
                return true;
            }
            if (!isLocal(to) || !one.replaceable()) {
                return false;
            }
        }
        return false;
    }

    private void sent(NodeAddress to, String operation) {
        Deque<Unsent> requests = unsentTo(to);
        if (!isNext(to, operation)) {
            throw new DriverFault("sends to " + to + ": " + operation + "; the rules want: "
                    + (requests.isEmpty() ? "nothing" : requests.peek().what()));
        }
        // Of the questions that wait for a disk the newest takes the place of the others.
        while (!requests.remove().any().contains(operation)) {}
    }

    private Deque<Unsent> unsentTo(NodeAddress to) {
        return unsent.computeIfAbsent(to, address -> new ArrayDeque<>());
    }

    private boolean isLocal(NodeAddress address) {
        return settings.localNode().equals(Optional.of(address));
    }

    private void expect(NodeAddress to, String operation, boolean replaceable) {
        unsentTo(to).add(new Unsent(List.of(operation), replaceable, ticks));
    }

    private static String entries(AppendTerms terms, long prevSn, long lastSn) {
        // A part that was read before the term's lease became longer leaves with the longer one.
        String withoutLease = terms.toString().replaceFirst("leaseMillis=\\d+, ", "");
        return "entries after " + prevSn + " up to " + lastSn + " by " + withoutLease;
    }

    public void ready() {
        did("ready");
    }

    public void committed(long sn) {
        did("commit " + sn);
        committedSn = sn;
        unannouncedTick = Optional.of(ticks);
    }

    public void acknowledged(long sn) {
        did("acknowledge " + sn);
        acknowledgedSn = sn;
    }

    public void fenced() {
        did("end");
    }

    /** An append returns. */
    public void returned(boolean edits, long sn) {
        if (acknowledgedSn < sn || (!edits && committedSn < sn)) {
            throw new DriverFault(
                    "returns from entry " + sn + ", acknowledged is " + acknowledgedSn + ", committed " + committedSn);
        }
    }

    public void settled(long sn) {
        if (committedSn < sn) {
            throw new DriverFault("says that entry " + sn + " is committed, as only " + committedSn + " is");
        }
    }

    public void toldLease(long untilNanos) {
        if (leaseUntilNanos.isEmpty() || untilNanos - leaseUntilNanos.get() > 0) {
            throw new DriverFault("tells of a lease until " + untilNanos + ", the rules gave " + leaseUntilNanos);
        }
    }

    public void toldAlone(long nanos) {
        if (aloneUntilNanos.isEmpty() || aloneUntilNanos.get() - nanos <= 0) {
            throw new DriverFault("says it was alone at " + nanos + ", the rules gave " + aloneUntilNanos);
        }
    }

    public void grantedReads(NodeId node, long wantedNanos) {
        if (newest.stream().noneMatch(one -> one.grantsReads(node, wantedNanos))) {
            throw new DriverFault("grants reads beside " + node + ", the rules do not");
        }
    }

    /** The term has ended and its requests have left. */
    public void closed() {
        expectDone("at the end");
        unsent.forEach((to, requests) -> {
            if (!isLocal(to) && !requests.isEmpty()) {
                throw new DriverFault(
                        "has never sent to " + to + ": " + requests.peek().what());
            }
        });
    }

    private void did(String deed) {
        String next = wanted.isEmpty() ? "nothing" : wanted.peek();
        if (!deed.equals(next)) {
            throw new DriverFault("does: " + deed + "; the rules want: " + next);
        }
        wanted.remove();
    }

    private void expectDone(String when) {
        if (!wanted.isEmpty()) {
            throw new DriverFault("has not done " + when + ": " + wanted);
        }
    }

    private final class ExpectedEffects implements WriterEffectHandler<RuntimeException> {

        @Override
        public void remember(Entry entry) {
            if (memory.isEmpty()
                    || entry.sn() != memory.lastKey() + 1
                    || entry.sn() == now().chosenLogEnd().sn() + 1) {
                memory.clear();
                beforeMemory = now().chosenLogEnd();
            }
            memory.put(entry.sn(), entry);
        }

        @Override
        public void forget(long firstSn) {
            while (!memory.isEmpty() && memory.firstKey() < firstSn) {
                beforeMemory = memory.pollFirstEntry().getValue().position();
            }
        }

        @Override
        public void send(NodeAddress to, PoolRequest request) {
            if (request instanceof AppendRequest append) {
                long prevSn = append.prev().sn();
                expect(to, entries(terms(append), prevSn, prevSn), true);
                return;
            }
            expect(
                    to,
                    request.toString(),
                    request instanceof NewEpochRequest
                            || request instanceof CommitRequest
                            || request instanceof CollectChangesRequest);
        }

        @Override
        public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
            long lastSn = range.prevSn();
            long bytes = 0;
            while (lastSn < range.lastSn()) {
                bytes += memory.get(lastSn + 1).payload().size();
                if (lastSn > range.prevSn() && bytes > MAX_REQUEST_BYTES) {
                    break;
                }
                lastSn++;
            }
            expect(to, entries(terms, range.prevSn(), lastSn), range.isEmpty());
        }

        @Override
        public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
            loadsFor(to).begin(new Load(from, range, terms, false));
        }

        @Override
        public void meet(NodeAddress address) {
            // Whether it is met shows in whether it connects.
        }

        @Override
        public void acceptAppends() {
            wanted.add("ready");
        }

        @Override
        public void publishCommitted(long sn) {
            wanted.add("commit " + sn);
        }

        @Override
        public void publishAcknowledged(long sn) {
            wanted.add("acknowledge " + sn);
        }

        @Override
        public void endFenced(Epoch by) {
            wanted.add("end");
        }

        @Override
        public void endReinitialized(Incarnation by) {
            wanted.add("end");
        }

        @Override
        public void reportDropped(NodeAddress address, long sn) {
            // A line in the log.
        }

        @Override
        public void reportInSync(NodeAddress address) {
            // A line in the log.
        }

        @Override
        public void reportImpostor(NodeAddress address, Member member) {
            // A line in the log.
        }
    }
}
