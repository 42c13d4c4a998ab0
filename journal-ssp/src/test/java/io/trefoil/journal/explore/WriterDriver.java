/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTimes;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/** Steps one writer, and writes down what it wants done. */
final class WriterDriver implements WriterEffectHandler<RuntimeException> {

    /** Something that must never become untrue. */
    interface Fact {
        History applyTo(History past);
    }

    private final WriterRules rules;
    private final long nowNanos;
    private final Deque<WriterEvent> events = new ArrayDeque<>();
    private final TreeMap<Integer, List<PoolRequest>> sent = new TreeMap<>();
    private final List<Fact> facts = new ArrayList<>();
    private final boolean isAdditionWanted;
    private WriterPart part;
    private Members members;

    WriterDriver(WriterRules rules, WriterPart part, long nowNanos, boolean isAdditionWanted) {
        this.isAdditionWanted = isAdditionWanted;
        members = part.state().end().members();
        this.rules = rules;
        this.part = part;
        this.nowNanos = nowNanos;
    }

    WriterPart part() {
        return part;
    }

    /** To whom something is sent, in ascending order; once for each request. */
    int[] nodes() {
        return sent.entrySet().stream()
                .flatMapToInt(each -> each.getValue().stream().mapToInt(request -> each.getKey()))
                .toArray();
    }

    /** What is sent to each of {@link #nodes}. */
    List<PoolRequest> requests() {
        return sent.values().stream().flatMap(List::stream).toList();
    }

    List<Fact> facts() {
        return facts;
    }

    /** As if something had been sent to every node right now: what waits for time to pass waits. */
    void markBusy() {
        part = part.with(WriterTimes.resetTimers(part.state(), nowNanos));
    }

    void step(WriterEvent first) {
        events.add(first);
        while (!events.isEmpty()) {
            Step<WriterState, WriterEffect> step = rules.step(part.state(), events.remove(), nowNanos);
            part = part.with(step.next());
            step.effects().forEach(effect -> effect.dispatch(this));
        }
    }

    /** The node that entries are read from answers. */
    void load(WriterPart.Load load, NodePart source) {
        part = part.withoutLoad(load);
        Disk disk = source.disk();
        if (!disk.isFormatted()) {
            loadFailed(load);
            return;
        }
        LogPosition base = disk.base().position();
        Epoch epoch = part.state().epoch();
        boolean readsAll = source.process().promise().epoch().equals(epoch);
        long readable = readsAll ? disk.lastSn() : source.process().committedSn();
        long lastSn = Math.min(load.range().lastSn(), readable);
        if (!load.terms().fetch(1, 1).readerEpoch().equals(epoch)) {
            return;
        }
        if (load.range().prevSn() < base.sn()) {
            step(WriterEvent.loadPurged(address(load.to()), disk.base()));
        } else if (lastSn <= load.range().prevSn()) {
            loadFailed(load);
        } else {
            List<Entry> entries = disk.entriesBetween(load.range().prevSn(), lastSn);
            send(
                    address(load.to()),
                    load.terms().request(disk.positionAt(load.range().prevSn()), entries));
            step(WriterEvent.partSent(address(load.to()), lastSn, 0));
        }
    }

    void loadFailed(WriterPart.Load load) {
        part = part.withoutLoad(load);
        step(WriterEvent.loadFailed(address(load.to()), address(load.from())));
    }

    private static NodeAddress address(int node) {
        return NodeAddress.of("node-" + node, 1);
    }

    private static int number(NodeAddress address) {
        return Integer.parseInt(address.host().substring("node-".length()));
    }

    @Override
    public void remember(Entry entry) {
        if (entry.kind() == EntryKind.EPOCH_START) {
            LogPosition last = part.state().chosenLogEnd();
            part = part.withBeginning(last);
            WriterId writer = part.state().settings().writer();
            add(past -> past.withTerm(entry.epoch(), writer, last));
        }
        if (entry.kind() == EntryKind.EPOCH_START) {
            // The log that the term continues has others than those that the writer knew.
            members = Members.NONE;
        } else if (entry.kind() == EntryKind.MEMBERS) {
            Members next = Members.fromPayload(entry.payload());
            WriterChecks.findViolation(members, next, isAdditionWanted)
                    .ifPresent(what -> facts.add(past -> past.withViolation(what)));
            members = next;
        }
        part = part.withEntry(entry);
    }

    @Override
    public void forget(long firstSn) {
        throw new IllegalStateException("Everything has room in memory, up to " + firstSn);
    }

    @Override
    public void send(NodeAddress to, PoolRequest request) {
        if (!(request instanceof CollectChangesRequest)) {
            sent.computeIfAbsent(number(to), node -> new ArrayList<>()).add(request);
        }
    }

    @Override
    public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        send(to, terms.request(part.prev(range), part.slice(range)));
    }

    @Override
    public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        part = part.withLoad(new WriterPart.Load(number(to), number(from), range, terms));
    }

    @Override
    public void meet(NodeAddress address) {}

    @Override
    public void acceptAppends() {}

    @Override
    public void publishCommitted(long sn) {
        LogPosition entry = positionAt(sn);
        Members voters = WriterTimes.members(part.state());
        add(past -> past.withCommitted(entry, voters));
    }

    @Override
    public void publishAcknowledged(long sn) {
        LogPosition entry = positionAt(sn);
        add(past -> past.withAcked(entry));
    }

    /** What a writer of an incarnation that was replaced makes true counts no more. */
    private void add(Fact fact) {
        Incarnation own = part.state().end().incarnation();
        facts.add(past -> past.inForce().equals(own) ? fact.applyTo(past) : past);
    }

    /** The entry with a serial number; what is before memory is long committed. */
    private LogPosition positionAt(long sn) {
        return sn <= part.before().sn()
                ? LogPosition.of(part.before().epoch(), sn)
                : part.memory().get((int) (sn - part.before().sn()) - 1).position();
    }

    @Override
    public void endFenced(Epoch higherEpoch) {}

    @Override
    public void endReinitialized(Incarnation newIncarnation) {}

    @Override
    public void reportDropped(NodeAddress address, long sn) {}

    @Override
    public void reportImpostor(NodeAddress address, Member member) {}

    @Override
    public void reportInSync(NodeAddress address) {}
}
