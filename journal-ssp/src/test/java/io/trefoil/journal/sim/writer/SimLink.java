/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.node.DrivenNode;
import io.trefoil.journal.sim.node.SimSession;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.SimWire;
import io.trefoil.journal.transport.Welcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connection with frames of the real codec: handshake, requests and answers travel as bytes, and each frame may be
 * lost, duplicated, reordered or torn. An unexpected answer, or half a frame, ends the connection, as on a wire.
 */
final class SimLink implements Link {

    private static final long CONNECT_TIMEOUT_NANOS = 60_000_000;
    private static final long RECONNECT_NANOS = 30_000_000;
    /** How long a connection that swallows what is sent stays up. */
    private static final long SILENCE_NANOS = 300_000_000;

    private record Open(PoolRequest request, long sentNanos) {}

    private final WriterWorld world;
    private final SimWriter writer;
    private final NodeAddress address;
    private final Hello hello;
    private final LinkListener listener;
    private final Map<Long, Open> open = new HashMap<>();
    private final List<byte[]> unsent = new ArrayList<>();
    private Optional<SimSession> session = Optional.empty();
    /** What the node has begun for the present attempt. */
    private Optional<SimSession> offered = Optional.empty();

    private long attempts;
    private long lastId;
    private boolean closed;

    SimLink(WriterWorld world, SimWriter writer, NodeAddress address, Hello hello, LinkListener listener) {
        this.world = world;
        this.writer = writer;
        this.address = address;
        this.hello = hello;
        this.listener = listener;
    }

    @Override
    public NodeAddress address() {
        return address;
    }

    private DrivenNode node() {
        return (DrivenNode) world.node(address);
    }

    void beginConnecting() {
        if (closed) {
            return;
        }
        offered.ifPresent(SimSession::close);
        offered = Optional.empty();
        long attempt = ++attempts;
        byte[] frame = SimWire.hello(hello);
        world.network()
                .send(
                        writer.host(),
                        node().host(),
                        writer.id() + " greets " + address.host(),
                        () -> receiveGreeting(frame, attempt));
        writer.schedule(CONNECT_TIMEOUT_NANOS, writer.id() + " waits for " + address.host(), () -> {
            if (attempts == attempt && !session.isPresent()) {
                beginConnecting();
            }
        });
    }

    /** The node receives the greeting. */
    private void receiveGreeting(byte[] frame, long attempt) {
        DrivenNode node = node();
        if (silence().swallows() && !isOpenedBy(attempt)) {
            return;
        }
        JournalReplica replica = node.replica();
        byte[] answer;
        try {
            Hello heard = SimWire.readHello(frame);
            boolean foreign = heard.namespace().isKnown()
                    && replica.namespace().isKnown()
                    && !heard.namespace().equals(replica.namespace());
            boolean crowded = silence().swallows() && !node.admits(writer.host());
            answer = foreign || crowded
                    ? SimWire.refusal(foreign ? "another cluster" : "too many sessions")
                    : SimWire.welcome(Welcome.of(
                            replica.node(), replica.isFormatted(), replica.namespace(), replica.promisedEpoch()));
        } catch (SessionRefusedException e) {
            throw new IllegalStateException(e);
        }
        SimSession begun = new SimSession(world.network(), writer.host(), node, this::onBroken);
        if (SimWire.readAnswer(answer) instanceof Welcome || !silence().swallows()) {
            node.onAccepted(begun);
        }
        if (silence().swallows()) {
            offered.ifPresent(SimSession::close);
            offered = Optional.of(begun);
        }
        world.network().send(node.host(), writer.host(), "answer to the hello", () -> {
            boolean wanted =
                    writer.isAlive() && begun.isWithSameProcess() && attempts == attempt && !session.isPresent();
            if (wanted && !closed && SimWire.readAnswer(answer) instanceof Welcome welcome) {
                session = Optional.of(begun);
                offered = Optional.empty();
                listener.onUp(this, welcome);
            }
        });
    }

    private DriverMix.Silence silence() {
        return world.drivers().silence();
    }

    /** Whether both kernels complete the connection of an attempt: the caller still wants it, and hears the node. */
    private boolean isOpenedBy(long attempt) {
        boolean wanted = attempts == attempt && !session.isPresent() && !closed && writer.isAlive();
        return wanted
                && !world.network().isCut(node().host().name(), writer.host().name());
    }

    @Override
    public void send(PoolRequest request) {
        if (!session.isPresent()) {
            return;
        }
        long id = ++lastId;
        unsent.add(SimWire.request(id, request));
        if (!(request instanceof CommitRequest)) {
            open.put(id, new Open(request, writer.host().nanoTime()));
        }
    }

    @Override
    public void flush() {
        session.ifPresent(to -> unsent.forEach(frame -> send(to, frame)));
        unsent.clear();
    }

    private void send(SimSession to, byte[] frame) {
        if (world.random().nextDouble() < world.drivers().tornChance()) {
            byte[] torn = Arrays.copyOf(frame, world.random().nextInt(frame.length));
            if (!SimWire.isNothing(torn)) {
                throw new IllegalStateException("Something was made of half a frame");
            }
            writer.schedule(1_000, "half a frame", to::breakNow);
            return;
        }
        DrivenNode node = node();
        if (isSwallowed(to, writer.host(), node.host())) {
            swallow(to, writer.host());
            return;
        }
        world.network().send(writer.host(), node.host(), "request of " + writer.id(), () -> {
            if (!to.isOpenAtNode()) {
                node.reset(to);
            } else if (to.isWithSameProcess()) {
                SimWire.NumberedMessage<PoolRequest> read = SimWire.readRequest(frame);
                node.receive(read.message(), reply -> answer(to, SimWire.reply(read.id(), reply)));
            }
        });
    }

    private boolean isSwallowed(SimSession by, SimHost from, SimHost to) {
        return by.isSilent(from) || (silence().swallows() && world.network().isCut(from.name(), to.name()));
    }

    private void swallow(SimSession by, SimHost sender) {
        if (!by.isSilent(sender)) {
            by.fallSilent(sender);
            if (silence().isNoticedByWriters()) {
                writer.schedule(SILENCE_NANOS, "nothing was acknowledged by " + address.host(), by::breakNow);
            }
        }
    }

    private void answer(SimSession from, byte[] frame) {
        if (isSwallowed(from, node().host(), writer.host())) {
            swallow(from, node().host());
            return;
        }
        world.network().send(node().host(), writer.host(), "answer of " + address.host(), () -> {
            if (!from.isOpen() || !writer.isAlive()) {
                return;
            }
            SimWire.NumberedMessage<PoolReply> read = SimWire.readReply(frame);
            Open asked = open.remove(read.id());
            if (asked == null) {
                from.breakNow();
                return;
            }
            listener.onReply(this, asked.request(), read.message(), asked.sentNanos());
            listener.onReadCompleted(this);
        });
    }

    /** The connection is reset. */
    void reset() {
        session.ifPresent(SimSession::breakNow);
    }

    private void onBroken() {
        boolean wasUp = session.isPresent();
        session.ifPresent(this::deliverClose);
        session = Optional.empty();
        open.clear();
        unsent.clear();
        attempts++;
        if (closed || !writer.isAlive()) {
            return;
        }
        if (wasUp) {
            listener.onDown(this, "the connection broke");
        }
        if (silence() == DriverMix.Silence.NOT_BEGUN_ANEW) {
            return;
        }
        writer.schedule(RECONNECT_NANOS, writer.id() + " reconnects to " + address.host(), () -> {
            if (!session.isPresent()) {
                beginConnecting();
            }
        });
    }

    /** The node hears that this end is closed, if it hears anything. */
    private void deliverClose(SimSession over) {
        if (silence().swallows() && !isSwallowed(over, writer.host(), node().host())) {
            world.network().send(writer.host(), node().host(), "farewell of " + writer.id(), over::endAtNode);
        }
    }

    @Override
    public void close() {
        closed = true;
        offered.ifPresent(SimSession::close);
        session.ifPresent(SimSession::close);
        session.ifPresent(this::deliverClose);
        session = Optional.empty();
    }
}
