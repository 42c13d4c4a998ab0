/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.node.NodeWorld;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.WriterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The writers of a world from start to end, and how much their users write. */
public final class SimWriters {
    private static final int MAX_BATCHES_HURT = 1_000;
    /** In one of so many seeds, some writers open their sessions ahead. */
    private static final long HELD_EVERY = 6;

    private final WriterWorld world;
    private final List<SimWriter> started = new ArrayList<>();
    private long ackedCount;
    private long quota = MAX_BATCHES_HURT;

    public SimWriters(WriterWorld world) {
        this.world = world;
    }

    /** All writers that were started, alive or not. */
    public List<SimWriter> all() {
        return started;
    }

    /** How many appends returned to users. */
    public long ackedCount() {
        return ackedCount;
    }

    /** Starts another writer: beside a node that is up, or on a machine of its own. */
    public SimWriter startWriter() {
        boolean remote = world.random().nextInt(3) == 0;
        List<SimNode> places = world.nodes().stream()
                .filter(node -> node.host().isUp() && (!world.isHealed() || world.isHealthy(node.address())))
                .toList();
        return remote || places.isEmpty()
                ? startWriter(Optional.empty())
                : startWriter(Optional.of(places.get(world.random().nextInt(places.size()))));
    }

    public SimWriter startWriter(Optional<SimNode> local) {
        return startWriter(local, drawAddresses());
    }

    /** The same, by a URI that names these nodes. */
    public SimWriter startWriter(Optional<SimNode> local, List<NodeAddress> named) {
        String name = "writer" + world.nextNumber();
        WriterSettings.Builder settings = WriterSettings.builder()
                .writer(WriterId.of(name))
                .namespace(NodeWorld.NAMESPACE)
                .addresses(named)
                .leaseMillis(drawLeaseMillis())
                .ackTimeoutMillis(world.mix().ackTimeoutMillis())
                .retryMillis(30)
                .ackPolicy(world.seed() % 4 == 0 ? AckPolicy.ALL : AckPolicy.QUORUM)
                .holdsAnswersUntilCommitted(world.seed() % 2 == 0)
                .catchUpBytesPerSecond(List.of(0, 10_000, 1_000_000).get((int) Math.floorMod(world.seed(), 3L)))
                .minReplicas(world.mix().minReplicas());
        SimHost host;
        if (local.isPresent()) {
            host = local.get().host();
            settings.localNode(local.get().address());
        } else {
            host = new SimHost(world, name + "-host");
            world.addHost(host);
        }
        SimWriter writer = newWriter(local, host, settings);
        started.add(writer);
        writer.start();
        if (world.mix().leasesDiffer()) {
            scheduleLongerLease(writer);
        }
        return writer;
    }

    private int drawLeaseMillis() {
        int millis = world.mix().leaseMillis();
        return world.mix().leasesDiffer() ? millis / (1 + world.random().nextInt(3)) : millis;
    }

    /** Pauses of the writer's host ask for a longer lease, now and then for a shorter one, which changes nothing. */
    private void scheduleLongerLease(SimWriter writer) {
        long nanos = 1_000_000L * (1 + world.random().nextInt(1_000));
        writer.schedule(nanos, writer.id() + " pauses", () -> {
            writer.lengthenLease(1 + world.random().nextInt(3 * world.mix().leaseMillis()));
            scheduleLongerLease(writer);
        });
    }

    private SimWriter newWriter(Optional<SimNode> local, SimHost host, WriterSettings.Builder settings) {
        WriterRules rules = world.rules().writer();
        Optional<Duration> held = drawHoldTime();
        return world.isDriven()
                ? new DrivenWriter(
                        world,
                        host,
                        rules,
                        settings.ackPolicy(world.drivers().ack())
                                .windowBytes(world.drivers().windowBytes())
                                .partBytes(world.drivers().partBytes())
                                .build(),
                        held,
                        local.map(SimNode::replica))
                : new RuledWriter(
                        world,
                        host,
                        rules,
                        settings.windowBytes(world.mix().windowBytes())
                                .partBytes(750)
                                .build(),
                        held);
    }

    /** In some histories, writers have sessions for a while before their term is wanted, whichever writer writes meanwhile. */
    private Optional<Duration> drawHoldTime() {
        boolean some = Math.floorMod(world.seed(), HELD_EVERY) == 0 && !world.isHealed();
        return some && world.random().nextBoolean()
                ? Optional.of(
                        Duration.ofMillis(world.random().nextInt(2 * world.mix().leaseMillis())))
                : Optional.empty();
    }

    /** Usually all addresses; a writer that has only some of them must learn the others from those nodes. */
    private List<NodeAddress> drawAddresses() {
        List<NodeAddress> all = new ArrayList<>(world.addresses());
        if (world.isHealed() || world.random().nextInt(5) > 0) {
            return all;
        }
        Collections.shuffle(all, world.random());
        // One of these nodes has to know the journal.
        NodeAddress first = world.addresses().iterator().next();
        all.remove(first);
        all.add(0, first);
        return all.subList(0, 1 + world.random().nextInt(all.size()));
    }

    /** A writer's process dies, and with it the node in it. */
    public void kill(SimWriter writer) {
        Optional<SimNode> local = world.nodes().stream()
                .filter(node -> node.host() == writer.host())
                .findFirst();
        if (local.isPresent()) {
            world.stop(local.get(), false);
            world.scheduleRestart(local.get());
        } else {
            writer.host().goDown();
            onDied(writer);
        }
    }

    public void onDied(SimWriter writer) {
        writer.die("process gone");
        if (!world.mix().noticesDeadWriters()) {
            return;
        }
        for (SimNode node : world.nodes()) {
            // The writer's connections are reset, and new ones are refused.
            node.host().schedule(10_000_000 + world.random().nextInt(200_000_000), writer.id() + " is gone", () -> {
                if (!world.network().isCut(writer.host().name(), node.host().name())) {
                    onPresumedDead(node, writer.id());
                }
            });
        }
    }

    /** A node sees a writer's connections reset, and new ones refused. */
    public void onPresumedDead(SimNode node, WriterId writer) {
        if (node.host().isUp()) {
            world.report(new Fact.WriterPresumedDead(node.address(), writer));
            node.nodeReplica().onWriterLost(writer);
        }
    }

    public boolean isAlive(WriterId id, NodeAddress at) {
        // A node knows only of a writer in its own process that it died with it.
        return started.stream()
                .noneMatch(writer -> writer.id().equals(id)
                        && writer.host() == world.node(at).host()
                        && !writer.isAlive());
    }

    /** A fenced writer's process ends; a node in it restarts. */
    void onFenced(SimWriter writer) {
        if (world.random().nextBoolean() && !world.isHealed()) {
            world.nodes().stream()
                    .filter(node -> node.host() == writer.host())
                    .findFirst()
                    .ifPresent(node -> world.schedule(1_000, "fenced process ends", () -> {
                        if (node.host().isUp() && !world.isHealed()) {
                            world.stop(node, false);
                            world.scheduleRestart(node);
                        }
                    }));
        }
    }

    void onAcked(SimWriter writer, Entry entry) {
        ackedCount += writer.isLone() ? 0 : 1;
        writer.report(new Fact.Acked(writer.id(), entry));
    }

    /** Users pause after many writes, so that a run does not last longer the better it goes. */
    boolean areUsersWorking() {
        return ackedCount < quota;
    }

    /** Users write this many more batches, then they pause. */
    public void allowBatches(long count) {
        quota = ackedCount + count;
    }

    public List<SimWriter> liveWriters() {
        return started.stream().filter(SimWriter::isAlive).toList();
    }
}
