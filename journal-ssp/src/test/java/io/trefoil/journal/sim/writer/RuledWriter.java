/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.LeaseRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.node.SimSession;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A writer with its user; performs what the rules decide, over simulated connections. */
final class RuledWriter extends HostedWriter implements WriterEffectHandler<RuntimeException> {

    private static final long TICK_NANOS = 10_000_000;
    private static final long CONNECT_TIMEOUT_NANOS = 60_000_000;
    private static final long RECONNECT_NANOS = 30_000_000;
    private static final long ANNOUNCE_NANOS = 300_000;
    private static final int LOAD_BYTES = 2_000;

    private final SimWindow window = new SimWindow();
    private final Map<NodeAddress, SimSession> sessions = new LinkedHashMap<>();
    private final Map<NodeAddress, Integer> attempts = new LinkedHashMap<>();
    private final Deque<WriterEvent> events = new ArrayDeque<>();
    private Consumer<Entry> onRemembered = entry -> {};
    private boolean stepping;
    private boolean announcing;

    RuledWriter(WriterWorld world, SimHost host, WriterRules rules, WriterSettings settings, Optional<Duration> held) {
        super(world, host, rules, settings, held, host.nanoTime());
    }

    @Override
    public void start() {
        settings.addresses().forEach(this::connect);
        beginWhenWanted(() -> step(WriterEvent.termRequested()));
        schedule(TICK_NANOS, id() + " ticks", this::tick);
    }

    private void tick() {
        step(WriterEvent.ticked());
        if (world.random().nextInt(100) == 0) {
            step(WriterEvent.answersWanted());
        }
        schedule(TICK_NANOS, id() + " ticks", this::tick);
    }

    @Override
    public void die(String how) {
        if (alive) {
            alive = false;
            sessions.values().forEach(SimSession::close);
            report(new Fact.WriterEnded(id(), how));
        }
    }

    @Override
    public void stepDown() {
        step(WriterEvent.stepDownRequested());
        die("stepped down");
    }

    @Override
    public void resetSession(NodeAddress address) {
        Optional.ofNullable(sessions.get(address)).ifPresent(SimSession::breakNow);
    }

    @Override
    public void purge(long minTxId) {
        step(WriterEvent.purgeRequested(minTxId));
    }

    @Override
    public void lengthenLease(int millis) {
        step(WriterEvent.leaseWanted(millis));
    }

    @Override
    public void requestReads(NodeId node, Consumer<Epoch> whenGranted) {
        step(WriterEvent.answersWanted());
        step(WriterEvent.readsWanted(node));
        boolean alone = state().soleWriterUntilNanos()
                .filter(until -> until > host.nanoTime())
                .isPresent();
        if (alive && alone && state().grantsReads(node, host.nanoTime())) {
            whenGranted.accept(state().epoch());
        }
    }

    @Override
    public void append(EntryKind kind, TxRange txIds, Bytes payload, Consumer<Entry> whenPlaced) {
        onRemembered = whenPlaced;
        step(WriterEvent.appendRequested(kind, txIds, payload));
        onRemembered = entry -> {};
    }

    private void connect(NodeAddress address) {
        int attempt = attempts.merge(address, 1, Integer::sum);
        SimNode node = world.node(address);
        world.network().send(host, node.host(), id() + " greets " + address.host(), () -> onGreeted(node, attempt));
        schedule(CONNECT_TIMEOUT_NANOS, id() + " waits for " + address.host(), () -> {
            if (attempts.get(address) == attempt && !sessions.containsKey(address)) {
                connect(address);
            }
        });
    }

    private void onGreeted(SimNode node, int attempt) {
        NodeAddress address = node.address();
        NodeId nodeId = node.nodeReplica().node();
        boolean formatted = node.nodeReplica().isFormatted();
        Epoch promised = node.nodeReplica().promisedEpoch();
        SimSession session = new SimSession(world.network(), host, node, () -> onSessionBroken(address));
        node.onAccepted(session);
        world.network().send(node.host(), host, "welcome by " + nodeId, () -> {
            boolean wanted = alive
                    && session.isWithSameProcess()
                    && attempts.get(address) == attempt
                    && !sessions.containsKey(address);
            if (wanted) {
                sessions.put(address, session);
                step(WriterEvent.peerConnected(address, nodeId, formatted, promised));
            }
        });
    }

    private void onSessionBroken(NodeAddress address) {
        if (alive) {
            sessions.remove(address);
            attempts.merge(address, 1, Integer::sum);
            step(WriterEvent.peerDisconnected(address));
            schedule(RECONNECT_NANOS, id() + " reconnects to " + address.host(), () -> {
                if (!sessions.containsKey(address)) {
                    connect(address);
                }
            });
        }
    }

    private void step(WriterEvent event) {
        events.add(event);
        if (stepping) {
            // Requested by an effect: its turn comes when the effects of this step are done.
            return;
        }
        stepping = true;
        while (!events.isEmpty() && alive) {
            Step<WriterState, WriterEffect> step = decide(state(), events.remove(), host.nanoTime());
            enter(step.next());
            step.effects().forEach(effect -> effect.dispatch(this));
            reportLease(host.nanoTime());
        }
        events.clear();
        stepping = false;
    }

    @Override
    public void remember(Entry entry) {
        if (entry.kind() == EntryKind.EPOCH_START) {
            window.restart(state().chosenLogEnd());
            report(new Fact.TermBegan(id(), entry.epoch(), state().chosenLogEnd()));
        }
        window.add(entry);
        report(new Fact.EntryAppended(id(), entry, state().committedSn()));
        onRemembered.accept(entry);
    }

    @Override
    public void forget(long firstSn) {
        window.dropBelow(firstSn);
    }

    @Override
    public void send(NodeAddress to, PoolRequest request) {
        reportIfTooEarly(request);
        reportRevealedCommit(request);
        long sentNanos = host.nanoTime();
        request(
                to,
                request,
                reply -> step(WriterEvent.replied(to, reply, sentNanos, LeaseRequest.leaseMillisOf(request))));
    }

    private void request(NodeAddress to, PoolRequest request, Consumer<PoolReply> onReply) {
        SimSession session = sessions.get(to);
        if (session != null) {
            session.send(request, reply -> {
                if (alive) {
                    onReply.accept(reply);
                }
            });
        }
    }

    @Override
    public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        send(to, terms.request(window.prev(range), window.slice(range)));
    }

    private void sendPart(NodeAddress to, AppendTerms terms, LogPosition prev, List<Entry> part) {
        send(to, terms.request(prev, part).withLease(state().leaseMillis()));
        step(WriterEvent.partSent(
                to,
                prev.sn() + part.size(),
                part.stream().mapToLong(entry -> entry.payload().size()).sum()));
    }

    @Override
    public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        new Load(to, from, range, terms).begin();
    }

    @Override
    public void meet(NodeAddress address) {
        if (!attempts.containsKey(address)) {
            connect(address);
        }
    }

    @Override
    public void acceptAppends() {
        report(new Fact.BecameReady(id(), state().epoch()));
        user.begin(state().end().lastTxId());
    }

    @Override
    public void publishCommitted(long sn) {
        reportCommitted(sn);
        user.onCommitAdvanced();
        if (!announcing) {
            announcing = true;
            scheduleAnnouncement();
        }
    }

    private void scheduleAnnouncement() {
        long sn = state().committedSn();
        schedule(ANNOUNCE_NANOS, id() + " announces", () -> {
            step(WriterEvent.announceDelayPassed(sn));
            announcing = state().committedSn() > sn;
            if (announcing) {
                scheduleAnnouncement();
            }
        });
    }

    @Override
    public void publishAcknowledged(long sn) {
        user.onAcknowledged(sn);
    }

    @Override
    public void reportDropped(NodeAddress address, long sn) {
        noteDroppedFromInSync(address, sn);
    }

    @Override
    public void reportImpostor(NodeAddress address, Member member) {}

    @Override
    public void reportInSync(NodeAddress address) {
        noteInSyncAgain(address);
    }

    @Override
    public void endFenced(Epoch by) {
        die("fenced by epoch " + by);
        world.writers().onFenced(this);
    }

    @Override
    public void endReinitialized(Incarnation by) {
        die("the journal began anew as " + by);
    }

    /** Entries on their way from one node's disk to another node. */
    private final class Load {
        private final NodeAddress to;
        private final NodeAddress from;
        private final EntryRange range;
        private final AppendTerms terms;
        private final Epoch epoch = state().epoch();
        private boolean over;

        Load(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
            this.to = to;
            this.from = from;
            this.range = range;
            this.terms = terms;
        }

        void begin() {
            // The entry before the first one gives the position in the log.
            long firstSn = Math.max(1, range.prevSn());
            Optional<LogPosition> prev = range.prevSn() == 0 ? Optional.of(LogPosition.ORIGIN) : Optional.empty();
            fetch(firstSn, prev);
            schedule(settings.ackTimeoutMillis() * 1_000_000L, "load for " + to.host() + " is late", this::fail);
        }

        private void fetch(long firstSn, Optional<LogPosition> prev) {
            request(from, world.effectiveRequest(terms.fetch(firstSn, LOAD_BYTES)), reply -> onLoaded(reply, prev));
        }

        private void onLoaded(PoolReply reply, Optional<LogPosition> prev) {
            if (over || !state().epoch().equals(epoch)) {
                over = true;
            } else if (reply instanceof EntriesReply entries
                    && !entries.entries().isEmpty()) {
                forward(entries.entries(), prev);
            } else if (reply instanceof PurgedReply purged) {
                onPurged(purged);
            } else {
                fail();
            }
        }

        private void forward(List<Entry> loaded, Optional<LogPosition> prev) {
            LogPosition before = prev.orElseGet(() -> loaded.get(0).position());
            List<Entry> entries = new ArrayList<>();
            for (Entry entry : loaded) {
                if (entry.sn() > range.prevSn() && entry.sn() <= range.lastSn()) {
                    entries.add(entry);
                }
            }
            if (before.sn() != range.prevSn() || entries.isEmpty()) {
                fail();
                return;
            }
            over = true;
            sendPart(to, terms, before, entries);
        }

        private void onPurged(PurgedReply reply) {
            LogPosition base = reply.base().position();
            if (base.sn() == range.prevSn()) {
                fetch(range.prevSn() + 1, Optional.of(base));
            } else if (base.sn() > range.prevSn()) {
                over = true;
                step(WriterEvent.loadPurged(to, reply.base()));
            } else {
                fail();
            }
        }

        private void fail() {
            if (!over) {
                over = true;
                step(WriterEvent.loadFailed(to, from));
            }
        }
    }
}
