/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.SimPoolWriter;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.node.DrivenNode;
import io.trefoil.journal.sim.node.NodeWorld;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.world.Fibers;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SimWire;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The production writer with its user: each of the user's calls runs in a thread that waits. */
final class DrivenWriter extends HostedWriter implements SimPoolWriter.Machine {

    private final Optional<JournalReplica> local;
    private final SimTransport transport;
    private final WriterTrace trace;
    private final List<Fibers.Fiber> threads = new ArrayList<>();
    private Optional<Fibers.Fiber> opening = Optional.empty();
    private Optional<SimPoolWriter> met = Optional.empty();
    /** The same, once it is ready. */
    private Optional<SimPoolWriter> writer = Optional.empty();

    private Optional<Consumer<Entry>> placing = Optional.empty();
    private boolean ended;

    DrivenWriter(
            WriterWorld world,
            SimHost host,
            WriterRules rules,
            WriterSettings settings,
            Optional<Duration> held,
            Optional<JournalReplica> local) {
        super(world, host, rules, settings, held, host.nanoTime());
        this.local = local;
        // Wrong rules are found by invariants: a replay would only say that they are not the real ones.
        this.trace = rules.equals(Rules.REAL.writer()) ? new ReplayedTrace() : WriterTrace.NONE;
        this.transport = new SimTransport(world, this);
    }

    @Override
    public boolean isWriting() {
        return writer.isPresent() && super.isWriting();
    }

    @Override
    public void start() {
        if (isWanted()) {
            opening = Optional.of(thread(id() + " opens", () -> {
                openSessions();
                begin();
            }));
        } else {
            thread(id() + " meets", this::openSessions);
            beginWhenWanted(() -> opening = Optional.of(thread(id() + " opens", this::begin)));
        }
    }

    private void openSessions() {
        Hello hello = Hello.of(
                JournalId.of("simulated"), NodeWorld.NAMESPACE, Hello.CallerRole.WRITER, id().text(), Optional.empty());
        met = Optional.of(SimPoolWriter.openSessions(
                this,
                transport,
                hello,
                local,
                this::read,
                task -> schedule(2_000, "worker", () -> worker(task)),
                settings));
    }

    private void begin() throws IOException {
        met.orElseThrow().begin();
        writer = met;
        user.begin(writer.get().end().lastTxId());
    }

    @Override
    public void lengthenLease(int millis) {
        met.ifPresent(writer -> writer.lengthenLease(Duration.ofMillis(millis)));
    }

    @Override
    public void requestReads(NodeId node, Consumer<Epoch> whenGranted) {
        if (alive && writer.isPresent() && writer.get().grantReads(node)) {
            whenGranted.accept(state().epoch());
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void worker(Runnable task) {
        thread(id() + " loads", task::run);
    }

    private Fibers.Fiber thread(Object what, Work task) {
        threads.removeIf(Fibers.Fiber::isDone);
        Fibers.Fiber begun = world.fibers().start(host, what, () -> {
            try {
                task.run();
            } catch (IOException e) {
                // The writer is over, or will be; the outcome of the call is unknown.
                world.note(what + " ended by " + e.getMessage());
            }
        });
        threads.add(begun);
        return begun;
    }

    @Override
    public void die(String how) {
        if (alive) {
            leave();
            alive = false;
            transport.close();
            reportEnd(how);
            if (!host.isUp()) {
                world.schedule(0, id() + "'s threads end", () -> threads.forEach(Fibers.Fiber::end));
            }
        }
    }

    /** In a process that lives on, a writer ends with its user. */
    private void leave() {
        if (host.isUp() && writer.isPresent()) {
            writer.get().close();
        } else if (host.isUp() && opening.isPresent()) {
            opening.get().interrupt();
        } else if (host.isUp()) {
            met.ifPresent(SimPoolWriter::close);
        }
    }

    private void reportEnd(String how) {
        if (!ended) {
            ended = true;
            report(new Fact.WriterEnded(id(), how));
        }
    }

    @Override
    public void stepDown() {
        // Its last messages are on their way when it is gone.
        leave();
        reportEnd("steps down");
        schedule(1_000_000, id() + " has stepped down", () -> die("stepped down"));
    }

    @Override
    public void resetSession(NodeAddress address) {
        transport.link(address).ifPresent(SimLink::reset);
    }

    @Override
    public void purge(long minTxId) {
        writer.ifPresent(it -> it.purge(minTxId));
    }

    @Override
    public void append(EntryKind kind, TxRange txIds, Bytes payload, Consumer<Entry> whenPlaced) {
        boolean ahead = (kind == EntryKind.SEGMENT_START || kind == EntryKind.SEGMENT_END)
                && world.random().nextBoolean();
        thread(id() + " appends " + kind, () -> {
            placing = Optional.of(whenPlaced);
            try {
                append(kind, txIds, payload, ahead);
            } finally {
                placing = Optional.empty();
            }
        });
    }

    private void append(EntryKind kind, TxRange txIds, Bytes payload, boolean ahead) throws IOException {
        SimPoolWriter to = writer.orElseThrow();
        if (kind == EntryKind.BARRIER) {
            to.addBarrier(Barrier.fromPayload(payload));
        } else if (kind == EntryKind.BARRIER_RELEASE) {
            to.releaseBarrier(payload.utf8());
        } else if (ahead) {
            long sn = to.appendAhead(kind, txIds, payload);
            while (!to.settle(Duration.ofMillis(500))) {
                if (to.isOver()) {
                    return;
                }
            }
            acknowledged(sn);
        } else {
            acknowledged(to.append(kind, txIds, payload));
        }
    }

    private void acknowledged(long sn) {
        if (alive) {
            user.onAcknowledged(sn);
        }
    }

    /** Reads entries that are not in memory, in a worker's thread. */
    private List<Entry> read(NodeAddress from, FetchRequest request) throws IOException {
        FetchRequest fetch = world.effectiveRequest(request);
        if (local.isPresent() && settings.localNode().equals(Optional.of(from))) {
            return local.get().entryReader().read(fetch);
        }
        DrivenNode node = (DrivenNode) world.node(from);
        AtomicReference<PoolReply> answer = new AtomicReference<>();
        Thread self = Thread.currentThread();
        byte[] question = SimWire.request(1, fetch);
        world.network().send(host, node.host(), id() + " fetches", () -> {
            PoolRequest asked = SimWire.readRequest(question).message();
            node.receive(asked, reply -> {
                byte[] frame = SimWire.reply(1, reply);
                world.network().send(node.host(), host, "what was fetched", () -> {
                    answer.set(SimWire.readReply(frame).message());
                    unpark(self);
                });
            });
        });
        long endNanos = world.nowNanos() + settings.ackTimeoutMillis() * 1_000_000L;
        while (answer.get() == null && world.nowNanos() < endNanos) {
            parkNanos(endNanos - world.nowNanos());
        }
        if (answer.get() instanceof EntriesReply entries) {
            return entries.entries();
        }
        if (answer.get() instanceof PurgedReply purged) {
            throw new PurgedException(fetch.firstSn(), purged.base());
        }
        throw new IOException("No entries, but " + answer.get());
    }

    @Override
    public Step<WriterState, WriterEffect> step(WriterState before, WriterEvent event, long nowNanos) {
        Step<WriterState, WriterEffect> step = decide(before, event, nowNanos);
        if (alive) {
            enter(step.next());
            step.effects().forEach(effect -> effect.dispatch(new Witness(step.next())));
            reportLease(nanoTime());
        }
        return step;
    }

    @Override
    public WriterTrace trace() {
        return trace;
    }

    /** From a clock that others set, and that runs at the right speed. */
    @Override
    public long wallMillis() {
        return world.nowNanos() / 1_000_000;
    }

    @Override
    public long nanoTime() {
        return host.nanoTime();
    }

    @Override
    public void parkNanos(long nanos) {
        world.fibers().parkNanos(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        world.fibers().unpark(thread);
    }

    /** Reports what the rules decided; the driver performs it. */
    private final class Witness implements WriterEffectHandler<RuntimeException> {
        private final WriterState next;

        Witness(WriterState next) {
            this.next = next;
        }

        @Override
        public void remember(Entry entry) {
            if (entry.kind() == EntryKind.EPOCH_START) {
                report(new Fact.TermBegan(id(), entry.epoch(), next.chosenLogEnd()));
            }
            report(new Fact.EntryAppended(id(), entry, next.committedSn()));
            placing.ifPresent(consumer -> {
                placing = Optional.empty();
                consumer.accept(entry);
            });
        }

        @Override
        public void acceptAppends() {
            report(new Fact.BecameReady(id(), next.epoch()));
        }

        @Override
        public void publishCommitted(long sn) {
            reportCommitted(sn);
        }

        @Override
        public void endFenced(Epoch by) {
            onOver("fenced by epoch " + by);
        }

        @Override
        public void endReinitialized(Incarnation by) {
            onOver("the journal began anew as " + by);
        }

        private void onOver(String how) {
            world.schedule(0, id() + " is fenced", () -> {
                if (isAlive()) {
                    die(how);
                    world.writers().onFenced(DrivenWriter.this);
                }
            });
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
        public void publishAcknowledged(long sn) {}

        @Override
        public void send(NodeAddress to, PoolRequest request) {
            reportIfTooEarly(request);
            reportRevealedCommit(request);
        }

        @Override
        public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {}

        @Override
        public void forget(long firstSn) {}

        @Override
        public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {}

        @Override
        public void meet(NodeAddress address) {}
    }
}
