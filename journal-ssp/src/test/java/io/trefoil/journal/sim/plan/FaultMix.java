/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The shape of one simulation, and what goes wrong in it. Drawn from a seed, so that some runs have only one kind of
 * fault and others all kinds at once.
 *
 * @param nodes how many pool nodes there are in the end
 * @param formatted how many of them the journal is formatted on; the others join
 * @param faults what the nemesis may do; a kind that is listed twice is twice as frequent
 * @param faultEveryMillis mean time between two faults
 * @param initializesAgain whether an operator initializes the journal again half-way, while some nodes are down
 * @param leasesDiffer whether each writer asks for a lease of its own, and for a longer one now and then
 * @param takeBackChance how often a user takes transactions back, or changes the storage, between two segments
 */
public record FaultMix(
        int nodes,
        int formatted,
        double dropChance,
        double duplicateChance,
        boolean reorders,
        int minDelayMicros,
        int maxDelayMicros,
        int maxThinkMicros,
        int syncMicros,
        int leaseMillis,
        int ackTimeoutMillis,
        int windowBytes,
        int maxOutstanding,
        int minReplicas,
        boolean noticesDeadWriters,
        List<FaultKind> faults,
        int faultEveryMillis,
        int durationMillis,
        double takeBackChance,
        boolean initializesAgain,
        boolean leasesDiffer) {

    public FaultMix {
        faults = List.copyOf(faults);
    }

    /** No faults: three nodes, the journal formatted on all of them, a quick network. */
    public static FaultMix none() {
        return new FaultMix(
                3, 3, 0, 0, false, 50, 200, 500, 200, 500, 150, 1_000_000, 1, 2, true, List.of(), 1_000, 2_000, 0,
                false, false);
    }

    public static FaultMix draw(long seed) {
        Random random = new Random(seed * 7_919 + 17);
        int nodes = pick(random, 1, 3, 3, 3, 3, 5);
        int formatted = random.nextInt(3) == 0 ? 1 : Math.min(nodes, 3);
        boolean quiet = random.nextInt(4) == 0;
        int minDelayMicros = 20 + random.nextInt(200);
        return new FaultMix(
                nodes,
                formatted,
                quiet ? 0 : pick(random, 0, 1, 3, 10) / 100.0,
                quiet ? 0 : pick(random, 0, 1, 5) / 100.0,
                random.nextBoolean(),
                minDelayMicros,
                minDelayMicros + pick(random, 100, 1_000, 10_000, 60_000),
                pick(random, 5_000, 20_000, 60_000),
                pick(random, 0, 200, 2_000),
                pick(random, 300, 600, 1_200),
                pick(random, 60, 150, 300),
                pick(random, 100, 400, 5_000),
                pick(random, 1, 1, 3),
                formatted == 1 ? 1 : pick(random, 1, 2),
                random.nextInt(3) > 0,
                drawFaults(random),
                pick(random, 80, 200, 500),
                pick(random, 2_000, 4_000, 7_000),
                pick(random, 0, 10, 40) / 100.0,
                Math.floorMod(seed, 7L) == 0,
                false);
    }

    /** The same with other numbers of nodes. */
    public FaultMix withNodes(int count, int formattedOn, int replicas) {
        return with(count, formattedOn, windowBytes, replicas);
    }

    /** The same with this many bytes of entries in a writer's memory. */
    public FaultMix withWindow(int bytes) {
        return with(nodes, formatted, bytes, minReplicas);
    }

    /** The same with a lease of this length. */
    public FaultMix withLease(int millis) {
        return with(nodes, formatted, millis, windowBytes, minReplicas, faults, initializesAgain);
    }

    /** The same with other kinds of faults. */
    public FaultMix withFaults(List<FaultKind> others) {
        return with(nodes, formatted, leaseMillis, windowBytes, minReplicas, others, initializesAgain);
    }

    /** The same with links that swallow what is sent in one direction, and writers that die. */
    public FaultMix withOneWayLoss() {
        List<FaultKind> kinds = new ArrayList<>(Collections.nCopies(4, FaultKind.CUT_ONE_WAY));
        kinds.add(FaultKind.KILL_WRITER);
        kinds.add(FaultKind.START_WRITER);
        return withNodes(Math.max(3, nodes), 3, minReplicas).withFaults(kinds);
    }

    /** The same with nodes at three sites, which are cut off now and then, and a journal that is initialized once. */
    public FaultMix withSites() {
        List<FaultKind> kinds = new ArrayList<>(faults);
        kinds.add(FaultKind.CUT_SITE);
        kinds.add(FaultKind.CUT_SITE);
        return with(Math.max(3, nodes), 3, leaseMillis, windowBytes, minReplicas, kinds, false);
    }

    /** The same with hosts that are cut off without their disks, and formatted alone. */
    public FaultMix withLoneFormats() {
        List<FaultKind> kinds = new ArrayList<>(faults);
        kinds.addAll(Collections.nCopies(2, FaultKind.FORMAT_ALONE));
        return with(Math.max(3, nodes), 3, leaseMillis, windowBytes, minReplicas, kinds, false);
    }

    /** The same with terms of different leases, some of which get longer. */
    public FaultMix withDifferentLeases() {
        return new FaultMix(
                nodes,
                formatted,
                dropChance,
                duplicateChance,
                reorders,
                minDelayMicros,
                maxDelayMicros,
                maxThinkMicros,
                syncMicros,
                leaseMillis,
                ackTimeoutMillis,
                windowBytes,
                maxOutstanding,
                minReplicas,
                noticesDeadWriters,
                faults,
                faultEveryMillis,
                durationMillis,
                takeBackChance,
                initializesAgain,
                true);
    }

    /** The same with a journal that is initialized again. */
    public FaultMix withReinitialization() {
        return with(nodes, formatted, leaseMillis, windowBytes, minReplicas, faults, true);
    }

    private FaultMix with(int count, int formattedOn, int bytes, int replicas) {
        return with(count, formattedOn, leaseMillis, bytes, replicas, faults, initializesAgain);
    }

    private FaultMix with(
            int count, int formattedOn, int lease, int bytes, int replicas, List<FaultKind> kinds, boolean again) {
        return new FaultMix(
                count,
                formattedOn,
                dropChance,
                duplicateChance,
                reorders,
                minDelayMicros,
                maxDelayMicros,
                maxThinkMicros,
                syncMicros,
                lease,
                ackTimeoutMillis,
                bytes,
                maxOutstanding,
                replicas,
                noticesDeadWriters,
                kinds,
                faultEveryMillis,
                durationMillis,
                takeBackChance,
                again,
                leasesDiffer);
    }

    private static List<FaultKind> drawFaults(Random random) {
        List<FaultKind> kinds = new ArrayList<>(List.of(FaultKind.values()));
        kinds.remove(FaultKind.CUT_SITE);
        kinds.remove(FaultKind.FORMAT_ALONE);
        Collections.shuffle(kinds, random);
        List<FaultKind> drawn = new ArrayList<>(kinds.subList(0, 1 + random.nextInt(kinds.size())));
        // The kinds drawn first are more frequent.
        drawn.addAll(drawn.subList(0, (drawn.size() + 1) / 2));
        drawn.add(FaultKind.START_WRITER);
        return drawn;
    }

    private static int pick(Random random, int... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
