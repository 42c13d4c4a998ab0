/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.invariant.log.AckedEntriesAreInLaterLogs;
import io.trefoil.journal.sim.invariant.term.LeaseIsKept;
import io.trefoil.journal.sim.invariant.term.OnlyOneWriterBelievesItIsAlone;
import io.trefoil.journal.writer.events.AckPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What a simulation of the real drivers adds to a {@link FaultMix}.
 *
 * @param clocksDiffer whether each host's clock runs at its own speed, and may stop for a while
 * @param tornChance how often a connection ends in the middle of a frame
 * @param hungSyncMillis how long a sync may hang
 * @param silence what becomes of a connection that a cut has taken something from
 */
public record DriverMix(
        AckPolicy ack,
        boolean fsync,
        boolean clocksDiffer,
        double tornChance,
        int hungSyncMillis,
        long windowBytes,
        int partBytes,
        int logFileBytes,
        int recentBytes,
        Silence silence) {

    /** What becomes of a connection that a cut, in one direction or both, has taken something from. */
    public enum Silence {
        /** It delivers what is sent later. */
        NONE,
        /** In that direction it delivers nothing more, also when the network is back, until its ends give it up, as with TCP. */
        NOTICED,
        /** A bug: no writer ever gives it up. */
        KEPT_BY_WRITERS,
        /** A bug: no node ever gives it up, so that sessions of callers that are gone add up. */
        KEPT_BY_NODES,
        /** A bug: a writer that has given it up does not begin anew. */
        NOT_BEGUN_ANEW;

        /** Whether a cut takes more than what was sent during it. */
        public boolean swallows() {
            return this != NONE;
        }

        public boolean isNoticedByWriters() {
            return this == NOTICED || this == KEPT_BY_NODES || this == NOT_BEGUN_ANEW;
        }

        public boolean isNoticedByNodes() {
            return this == NOTICED || this == KEPT_BY_WRITERS || this == NOT_BEGUN_ANEW;
        }
    }

    private static final Set<FaultKind> ONLY_RULES = EnumSet.of(FaultKind.NO_MEMORY);

    /** Faults whose damage survives, or can be told from a torn tail, only if the disk syncs. */
    private static final Set<FaultKind> NEED_FSYNC =
            EnumSet.of(FaultKind.POWER_LOSS, FaultKind.POWER_LOSS_IN_OPERATION, FaultKind.EXCHANGE_DISK, FaultKind.ROT);

    public static DriverMix draw(long seed) {
        Random random = new Random(seed * 104_729 + 31);
        return new DriverMix(
                List.of(AckPolicy.QUORUM, AckPolicy.QUORUM, AckPolicy.ALL, AckPolicy.ONE)
                        .get(random.nextInt(4)),
                random.nextInt(4) > 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 0.002 : 0,
                List.of(400, 3_000, 60_000).get(random.nextInt(3)),
                List.of(200L, 2_000L, 1_000_000L).get(random.nextInt(3)),
                List.of(100, 2_000).get(random.nextInt(2)),
                List.of(4_500, 8_192, 65_536).get(random.nextInt(3)),
                List.of(0, 1_000, 100_000).get(random.nextInt(3)),
                random.nextInt(3) == 0 ? Silence.NOTICED : Silence.NONE);
    }

    /** The same with connections of which this becomes. */
    public DriverMix with(Silence other) {
        return new DriverMix(
                ack,
                fsync,
                clocksDiffer,
                tornChance,
                hungSyncMillis,
                windowBytes,
                partBytes,
                logFileBytes,
                recentBytes,
                other);
    }

    /** The faults that these drivers are made for. */
    public FaultMix restrict(FaultMix mix) {
        return mix.withFaults(mix.faults().stream()
                .filter(kind -> !ONLY_RULES.contains(kind) && (fsync || !NEED_FSYNC.contains(kind)))
                .toList());
    }

    /** The invariants that hold with this policy and these clocks (protocol page, "Policies", "Lease"). */
    public List<Invariant> applicableInvariants(List<Invariant> all) {
        return all.stream()
                .filter(invariant -> ack != AckPolicy.ONE || !(invariant instanceof AckedEntriesAreInLaterLogs))
                .filter(invariant -> !clocksDiffer
                        || !(invariant instanceof LeaseIsKept || invariant instanceof OnlyOneWriterBelievesItIsAlone))
                .toList();
    }
}
