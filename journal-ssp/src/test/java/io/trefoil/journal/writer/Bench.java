/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A writer and what it wanted done in its last step. */
final class Bench implements WriterEffectHandler<RuntimeException> {
    static final long ACK_TIMEOUT_MILLIS = 1_000;
    static final long LEASE_MILLIS = 5_000;

    final List<NodeAddress> to = new ArrayList<>();
    final List<PoolRequest> requests = new ArrayList<>();
    final List<String> words = new ArrayList<>();
    final List<Entry> log = new ArrayList<>();
    WriterState state;
    long nowNanos = 1_000_000_000L;

    Bench(int minReplicas, NodeAddress... addresses) {
        this(settings(minReplicas, addresses).build());
    }

    Bench(WriterSettings settings) {
        state = WriterState.begin(settings, nowNanos);
    }

    /** A writer whose term is not wanted yet. */
    static Bench withOpenSessions(NodeAddress... addresses) {
        Bench bench = new Bench(2, addresses);
        bench.state = WriterState.newConnecting(bench.state.settings(), bench.nowNanos);
        return bench;
    }

    static WriterSettings.Builder settings(int minReplicas, NodeAddress... addresses) {
        return WriterSettings.builder()
                .writer(WriterId.of("writer"))
                .namespace(NamespaceId.of("CID-1", 1))
                .addresses(List.of(addresses))
                .leaseMillis(LEASE_MILLIS)
                .ackTimeoutMillis(ACK_TIMEOUT_MILLIS)
                .minReplicas(minReplicas);
    }

    /** A writer whose members are all in sync at entry 12; its term began behind entry 10. */
    static Bench writing(WriterSettings.Builder settings, Members members) {
        Bench bench = recovering(settings, members);
        members.list().forEach(member -> bench.acknowledge(member.address(), member.id(), 12));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.WRITING);
        return bench;
    }

    /** A writer whose members are all there and of which a majority has promised, in epoch 4. */
    static Bench recovering(WriterSettings.Builder settings, Members members) {
        Bench bench = new Bench(settings.build());
        members.list()
                .forEach(member ->
                        bench.step(WriterEvent.peerConnected(member.address(), member.id(), true, Epoch.of(3))));
        LogSummary end = end(3, 10, members);
        members.list().stream()
                .limit(members.majority())
                .forEach(member -> bench.reply(
                        member.address(),
                        PromiseReply.of(
                                member.id(),
                                bench.state.epoch(),
                                end,
                                8,
                                LogPosition.of(Epoch.of(1), 8),
                                1,
                                LogCompleteness.COMPLETE)));
        assertThat(bench.state.stage()).isEqualTo(WriterStage.RECOVERING);
        return bench;
    }

    /** The same, with voters in these places, two of which must have what is written. */
    static Bench writing(NodeAddress... voters) {
        return writing(settings(2, voters), members(voters));
    }

    /** The same, with voters in these places, two of which must have what is written. */
    static Bench recovering(NodeAddress... voters) {
        return recovering(settings(2, voters), members(voters));
    }

    /** A log that ends there; each entry has one transaction. */
    static LogSummary end(long epoch, long sn, Members members) {
        return LogSummary.of(positionAt(epoch, sn), members, sn, Optional.of(1L), Optional.empty());
    }

    static LogPosition positionAt(long epoch, long sn) {
        return LogPosition.of(Epoch.of(epoch), sn);
    }

    static Member voter(NodeAddress address) {
        return Member.voter(id(address), address);
    }

    /** They all vote. */
    static Members members(NodeAddress... addresses) {
        List<Member> list = new ArrayList<>();
        for (NodeAddress address : addresses) {
            list.add(voter(address));
        }
        return Members.of(list);
    }

    Bench step(WriterEvent event) {
        to.clear();
        requests.clear();
        words.clear();
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        state = step.next();
        assertThat(state.peers().withMembers(state.members()))
                .as("the peers as the members see them")
                .containsExactlyElementsOf(state.peers());
        step.effects().forEach(effect -> effect.dispatch(this));
        return this;
    }

    /** As if the entries below had been too many for the writer's memory. */
    Bench trim(long firstSn) {
        state = state.toBuilder().window(state.window().withoutBelow(firstSn)).build();
        return this;
    }

    Bench advanceClock(long millis) {
        nowNanos += millis * 1_000_000L;
        return this;
    }

    Bench connect(NodeAddress address, long promised) {
        return step(WriterEvent.peerConnected(address, id(address), true, Epoch.of(promised)));
    }

    Bench reply(NodeAddress address, PoolReply reply) {
        return step(WriterEvent.replied(address, reply, nowNanos, state.leaseMillis()));
    }

    Bench acknowledge(NodeAddress address, long sn) {
        return acknowledge(address, id(address), sn);
    }

    Bench acknowledge(NodeAddress address, NodeId node, long sn) {
        return reply(address, AppendedReply.of(node, state.epoch(), sn, LogCompleteness.COMPLETE));
    }

    /** An operator told a node what is wanted, and it passes that on. */
    Bench receiveChange(NodeAddress from, MemberChange change) {
        return reply(from, ChangesReply.of(id(from), List.of(change)));
    }

    /** What is said of a request. */
    ChangeProgress progressOf(String ticket) {
        return state.pendingChanges().progress().stream()
                .filter(progress -> progress.ticket().equals(ticket))
                .findFirst()
                .orElseThrow();
    }

    Bench promise(NodeAddress address, LogSummary end, long committedSn) {
        LogPosition heard = LogPosition.of(Epoch.of(1), committedSn);
        return reply(
                address,
                PromiseReply.of(id(address), state.epoch(), end, committedSn, heard, 1, LogCompleteness.COMPLETE));
    }

    Bench append(long txId) {
        return step(WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("tx")));
    }

    <T extends PoolRequest> List<T> sentTo(NodeAddress address, Class<T> type) {
        List<T> found = new ArrayList<>();
        for (int i = 0; i < to.size(); i++) {
            if (to.get(i).equals(address) && type.isInstance(requests.get(i))) {
                found.add(type.cast(requests.get(i)));
            }
        }
        return found;
    }

    @Override
    public void remember(Entry entry) {
        log.removeIf(old -> old.sn() >= entry.sn());
        log.add(entry);
        words.add("remember " + entry.kind() + " " + entry.sn());
    }

    @Override
    public void send(NodeAddress address, PoolRequest request) {
        to.add(address);
        requests.add(request);
        words.add(address.host() + " " + request.getClass().getSuperclass().getSimpleName());
    }

    @Override
    public void sendEntries(NodeAddress address, EntryRange range, AppendTerms terms) {
        words.add(address.host() + " entries " + (range.prevSn() + 1) + ".." + range.lastSn());
    }

    @Override
    public void forget(long firstSn) {
        log.removeIf(old -> old.sn() < firstSn);
        words.add("forget below " + firstSn);
    }

    @Override
    public void loadAndSend(NodeAddress address, NodeAddress from, EntryRange range, AppendTerms terms) {
        words.add(address.host() + " entries " + (range.prevSn() + 1) + ".." + range.lastSn() + " from " + from.host());
    }

    @Override
    public void meet(NodeAddress address) {
        words.add("meet " + address.host());
    }

    @Override
    public void acceptAppends() {
        words.add("ready");
    }

    @Override
    public void publishCommitted(long sn) {
        words.add("committed " + sn);
    }

    @Override
    public void publishAcknowledged(long sn) {
        if (state.settings().ackPolicy() != AckPolicy.QUORUM || state.settings().holdsAnswersUntilCommitted()) {
            words.add("acknowledged " + sn);
        }
    }

    @Override
    public void reportDropped(NodeAddress address, long sn) {
        words.add(address.host() + " out of sync at " + sn);
    }

    @Override
    public void reportImpostor(NodeAddress address, Member member) {
        words.add(address.host() + " claims to be at " + member.address().host());
    }

    @Override
    public void reportInSync(NodeAddress address) {
        words.add(address.host() + " in sync again");
    }

    @Override
    public void endFenced(Epoch by) {
        words.add("fenced by " + by);
    }

    @Override
    public void endReinitialized(Incarnation by) {
        words.add("began anew as " + by);
    }

    Bench advance(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            advanceClock(10).step(WriterEvent.ticked());
        }
        return this;
    }

    static NodeId id(NodeAddress address) {
        return NodeId.of("storage-" + address.host());
    }
}
