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

/** Steps one writer, and writes down what it wants done. */
final class WriterDriver implements WriterEffectHandler<RuntimeException> {

    /** Something that must never become untrue. */
    interface Fact {
        Past in(Past past);
    }

    private final WriterRules rules;
    private final long nowNanos;
    private final Deque<WriterEvent> events = new ArrayDeque<>();
    private final List<Integer> nodes = new ArrayList<>();
    private final List<PoolRequest> requests = new ArrayList<>();
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

    /** To whom something is sent, in order. */
    int[] nodes() {
        return nodes.stream().mapToInt(node -> node).toArray();
    }

    /** What is sent to each of {@link #nodes}. */
    List<PoolRequest> requests() {
        return requests;
    }

    List<Fact> facts() {
        return facts;
    }

    /** As if something had been sent to every node right now: what waits for time to pass waits. */
    void busy() {
        part = part.with(WriterTimes.busy(part.state(), nowNanos));
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
        part = part.without(load);
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
        if (!load.terms().fetch(1, 1).reader().equals(epoch)) {
            return;
        }
        if (load.range().prevSn() < base.sn()) {
            step(WriterEvent.loadPurged(address(load.to()), disk.base()));
        } else if (lastSn <= load.range().prevSn()) {
            loadFailed(load);
        } else {
            List<Entry> entries = disk.between(load.range().prevSn(), lastSn);
            send(address(load.to()), load.terms().request(disk.at(load.range().prevSn()), entries));
            step(WriterEvent.partSent(address(load.to()), lastSn, 0));
        }
    }

    void loadFailed(WriterPart.Load load) {
        part = part.without(load);
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
            LogPosition last = part.state().chosenLast();
            part = part.beginning(last);
            WriterId writer = part.state().settings().writer();
            add(past -> past.began(entry.epoch(), writer, last));
        }
        if (entry.kind() == EntryKind.EPOCH_START) {
            // The log that the term continues has others than those that the writer knew.
            members = Members.NONE;
        } else if (entry.kind() == EntryKind.MEMBERS) {
            Members next = Members.fromPayload(entry.payload());
            WriterChecks.broken(members, next, isAdditionWanted).ifPresent(what -> facts.add(past -> past.broke(what)));
            members = next;
        }
        part = part.remembering(entry);
    }

    @Override
    public void forget(long firstSn) {
        throw new IllegalStateException("Everything has room in memory, up to " + firstSn);
    }

    @Override
    public void send(NodeAddress to, PoolRequest request) {
        if (!(request instanceof CollectChangesRequest)) {
            nodes.add(number(to));
            requests.add(request);
        }
    }

    @Override
    public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        send(to, terms.request(part.prev(range), part.slice(range)));
    }

    @Override
    public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        part = part.loading(new WriterPart.Load(number(to), number(from), range, terms));
    }

    @Override
    public void meet(NodeAddress address) {}

    @Override
    public void acceptAppends() {}

    @Override
    public void publishCommitted(long sn) {
        LogPosition entry = at(sn);
        Members voters = WriterTimes.members(part.state());
        add(past -> past.committed(entry, voters));
    }

    @Override
    public void publishAcknowledged(long sn) {
        LogPosition entry = at(sn);
        add(past -> past.acked(entry));
    }

    /** What a writer of an incarnation that was replaced makes true counts no more. */
    private void add(Fact fact) {
        Incarnation own = part.state().end().incarnation();
        facts.add(past -> past.inForce().equals(own) ? fact.in(past) : past);
    }

    /** The entry with a serial number; what is before memory is long committed. */
    private LogPosition at(long sn) {
        return sn <= part.before().sn()
                ? LogPosition.of(part.before().epoch(), sn)
                : part.memory().get((int) (sn - part.before().sn()) - 1).position();
    }

    @Override
    public void endFenced(Epoch by) {}

    @Override
    public void endReinitialized(Incarnation by) {}

    @Override
    public void reportDropped(NodeAddress address, long sn) {}

    @Override
    public void reportImpostor(NodeAddress address, Member member) {}

    @Override
    public void reportInSync(NodeAddress address) {}
}
