/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.Step;
import java.util.ArrayList;
import java.util.List;

/** A writer and what it wanted done in its last step. */
final class Bench implements WriterEffect.Handler<Void> {
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

    static WriterSettings.Builder settings(int minReplicas, NodeAddress... addresses) {
        return WriterSettings.builder()
                .writer(WriterId.of("writer"))
                .namespace(NamespaceId.of("CID-1", 1))
                .addresses(List.of(addresses))
                .leaseMillis(LEASE_MILLIS)
                .ackTimeoutMillis(ACK_TIMEOUT_MILLIS)
                .minReplicas(minReplicas);
    }

    Bench step(WriterEvent event) {
        to.clear();
        requests.clear();
        words.clear();
        Step<WriterState, WriterEffect> step = Writer.step(state, event, nowNanos);
        state = step.next();
        step.effects().forEach(effect -> effect.performedBy(this));
        return this;
    }

    Bench after(long millis) {
        nowNanos += millis * 1_000_000L;
        return this;
    }

    Bench up(NodeAddress address, long promised) {
        return step(WriterEvent.peerUp(address, id(address), true, Epoch.of(promised)));
    }

    Bench reply(NodeAddress address, PoolReply reply) {
        return step(WriterEvent.replied(address, reply, nowNanos));
    }

    Bench acks(NodeAddress address, long sn) {
        return reply(address, AppendedReply.of(id(address), state.epoch(), sn, Standing.WHOLE));
    }

    Bench promises(NodeAddress address, LogSummary end, long committedSn) {
        LogPosition heard = LogPosition.of(Epoch.of(1), committedSn);
        return reply(
                address, PromiseReply.of(id(address), state.epoch(), end, committedSn, heard, 1, Standing.WHOLE));
    }

    Bench appends(long txId) {
        return step(WriterEvent.appendAsked(EntryKind.EDITS, TxRange.of(txId, txId), Bytes.ofUtf8("tx")));
    }

    <T extends PoolRequest> List<T> sent(NodeAddress address, Class<T> type) {
        List<T> found = new ArrayList<>();
        for (int i = 0; i < to.size(); i++) {
            if (to.get(i).equals(address) && type.isInstance(requests.get(i))) {
                found.add(type.cast(requests.get(i)));
            }
        }
        return found;
    }

    @Override
    public Void remember(Entry entry) {
        log.removeIf(old -> old.sn() >= entry.sn());
        log.add(entry);
        words.add("remember " + entry.kind() + " " + entry.sn());
        return null;
    }

    @Override
    public Void send(NodeAddress address, PoolRequest request) {
        to.add(address);
        requests.add(request);
        words.add(address.host() + " " + request.getClass().getSuperclass().getSimpleName());
        return null;
    }

    @Override
    public Void sendEntries(NodeAddress address, EntryRange range, AppendTerms terms) {
        words.add(address.host() + " entries " + (range.prevSn() + 1) + ".." + range.lastSn());
        return null;
    }

    @Override
    public Void sendPart(NodeAddress address, EntryRange range, AppendTerms terms) {
        words.add(address.host() + " entries " + (range.prevSn() + 1) + ".." + range.lastSn());
        return null;
    }

    @Override
    public Void loadAndSend(NodeAddress address, NodeAddress from, EntryRange range, AppendTerms terms) {
        words.add(address.host() + " entries " + (range.prevSn() + 1) + ".." + range.lastSn() + " from " + from.host());
        return null;
    }

    @Override
    public Void meet(NodeAddress address) {
        words.add("meet " + address.host());
        return null;
    }

    @Override
    public Void ready() {
        words.add("ready");
        return null;
    }

    @Override
    public Void committed(long sn) {
        words.add("committed " + sn);
        return null;
    }

    @Override
    public Void acknowledged(long sn) {
        if (state.settings().ack() != AckPolicy.QUORUM) {
            words.add("acknowledged " + sn);
        }
        return null;
    }

    @Override
    public Void putAside(NodeAddress address, long sn) {
        words.add(address.host() + " put aside at " + sn);
        return null;
    }

    @Override
    public Void takenBack(NodeAddress address) {
        words.add(address.host() + " taken back");
        return null;
    }

    @Override
    public Void fenced(Epoch by) {
        words.add("fenced by " + by);
        return null;
    }

    @Override
    public Void beganAnew(Incarnation by) {
        words.add("began anew as " + by);
        return null;
    }

    Bench passes(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            after(10).step(WriterEvent.ticked());
        }
        return this;
    }

    static NodeId id(NodeAddress address) {
        return NodeId.of("storage-" + address.host());
    }
}
