/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import io.trefoil.journal.sim.plan.FaultMix;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** The network between simulated hosts. Every link has two directions, and each can fail on its own. */
public final class SimNetwork {

    /** The fate of one message. */
    public enum Fate {
        ARRIVES,
        IS_LOST,
        /** It arrives, and again when all have forgotten it. */
        ARRIVES_TWICE
    }

    /** Decides the fate of messages by number, in sending order. */
    public interface Fates {
        Fate of(long messageNumber);
    }

    private static final long LOCAL_NANOS = 1_000;

    /** One direction between two hosts. */
    private static final class Path {
        private boolean cut;
        private long cloggedUntilNanos;
        private long lastArrivalNanos;
    }

    private final World world;
    private final FaultMix mix;
    private final Fates fates;
    private final SimSites sites;
    private final Map<String, Path> paths = new LinkedHashMap<>();
    private long messageCount;
    private boolean lossy = true;
    private Consumer<Object> listener = what -> {};

    public SimNetwork(World world, FaultMix mix, Fates fates, SimSites sites) {
        this.world = world;
        this.mix = mix;
        this.fates = fates;
        this.sites = sites;
    }

    /** From now on, reports everything that is sent between hosts. */
    public void listen(Consumer<Object> newListener) {
        listener = newListener;
    }

    /** How many messages were sent between hosts. */
    public long messageCount() {
        return messageCount;
    }

    /** Sends a message; it may arrive never, once or twice. */
    public void send(SimHost from, SimHost to, Object what, Runnable arrival) {
        if (from == to) {
            to.schedule(LOCAL_NANOS, what, arrival);
            return;
        }
        Path path = path(from.name(), to.name());
        listener.accept(what);
        Fate fate = fates.of(++messageCount);
        if (isCut(from.name(), to.name()) || fate == Fate.IS_LOST || (lossy && drawChance(mix.dropChance()))) {
            return;
        }
        long earliestNanos = world.nowNanos() + sites.nanosBetween(from.name(), to.name());
        arrive(path, to, what, arrival, earliestNanos, 0);
        if (fate == Fate.ARRIVES_TWICE) {
            arrive(path, to, what, arrival, earliestNanos, mix.ackTimeoutMillis() * 2_000_000L);
        } else if (lossy && drawChance(mix.duplicateChance())) {
            arrive(path, to, what, arrival, earliestNanos, world.random().nextInt(50_000_000));
        }
    }

    private void arrive(Path path, SimHost to, Object what, Runnable arrival, long earliestNanos, long extraNanos) {
        long nanos = earliestNanos + drawDelayNanos() + extraNanos;
        nanos = Math.max(nanos, path.cloggedUntilNanos);
        if (!mix.reorders() && extraNanos == 0) {
            nanos = Math.max(nanos, path.lastArrivalNanos + 1);
            path.lastArrivalNanos = nanos;
        }
        // The host may run another process when the message arrives: the receiver checks that.
        world.schedule(nanos - world.nowNanos(), what, () -> to.schedule(0, what, arrival));
    }

    private long drawDelayNanos() {
        Random random = world.random();
        double spreadMicros = mix.maxDelayMicros() - mix.minDelayMicros();
        // Usually quick, sometimes slow.
        double draw = random.nextDouble();
        return (long) (1_000 * (mix.minDelayMicros() + spreadMicros * draw * draw * draw));
    }

    private boolean drawChance(double chance) {
        return chance > 0 && world.random().nextDouble() < chance;
    }

    public void cut(String from, String to) {
        path(from, to).cut = true;
    }

    public void mend(String from, String to) {
        Path path = path(from, to);
        path.cut = false;
        path.cloggedUntilNanos = 0;
    }

    public void clog(String from, String to, long untilNanos) {
        path(from, to).cloggedUntilNanos = untilNanos;
    }

    public boolean isCut(String from, String to) {
        return path(from, to).cut || sites.isCut(from, to);
    }

    /** The sites that its hosts are at. */
    public SimSites sites() {
        return sites;
    }

    public void mendAll() {
        sites.rejoinAll();
        paths.values().forEach(path -> {
            path.cut = false;
            path.cloggedUntilNanos = 0;
        });
    }

    /** From now on messages get lost only on links that are cut. */
    public void stopRandomLoss() {
        lossy = false;
    }

    private Path path(String from, String to) {
        return paths.computeIfAbsent(from + ">" + to, name -> new Path());
    }
}
