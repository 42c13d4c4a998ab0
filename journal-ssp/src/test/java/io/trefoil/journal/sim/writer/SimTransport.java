/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The client side of the simulated network, for one writer; runs in the simulation's thread. */
final class SimTransport implements Transport {

    private static final long HAND_OFF_NANOS = 2_000;

    private final WriterWorld world;
    private final SimWriter writer;
    private final Map<NodeAddress, SimLink> links = new LinkedHashMap<>();

    SimTransport(WriterWorld world, SimWriter writer) {
        this.world = world;
        this.writer = writer;
    }

    Optional<SimLink> link(NodeAddress node) {
        return Optional.ofNullable(links.get(node));
    }

    @Override
    public Link connect(NodeAddress node, Hello hello, LinkListener listener) {
        SimLink link = new SimLink(world, writer, node, hello, listener);
        links.put(node, link);
        execute(link::beginConnecting);
        return link;
    }

    @Override
    public void probe(NodeAddress address, Duration timeout, ProbeListener listener) {
        execute(() -> listener.onOutcome(Probe.UNREACHABLE));
    }

    @Override
    public void execute(Runnable task) {
        writer.schedule(HAND_OFF_NANOS, "transport of " + writer.id(), task);
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        writer.schedule(delay.toNanos(), "timer of " + writer.id(), task);
    }

    @Override
    public boolean isTransportThread() {
        return !world.fibers().isInFiber();
    }

    @Override
    public void close() {
        links.values().forEach(SimLink::close);
    }
}
