/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Everything that an agent knows. Immutable; times are by its own monotonic clock, in nanoseconds. */
@AutoValue
public abstract class AgentState {

    static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long FOREVER_NANOS = 3_600_000_000_000L;

    /** An agent that has seen nothing yet. */
    public static AgentState begin(AgentSettings settings, long nowNanos) {
        return new AutoValue_AgentState.Builder()
                .settings(settings)
                .stage(AgentStage.FOLLOWING)
                .stageSinceNanos(nowNanos)
                .tickedNanos(nowNanos)
                .graceUntilNanos(nowNanos)
                .observation(LocalObservation.UNKNOWN)
                .bid(0)
                .bidFor(Ballot.NONE)
                .connected(false)
                .connectedNanos(nowNanos)
                .view(View.NOTHING)
                .highest(Ballot.NONE)
                .predecessor(Optional.<String>empty())
                .inherited(0)
                .passes(0)
                .wellSinceNanos(nowNanos)
                .idleNanos(0)
                .diskStoodNanos(0)
                .survey(LeaseReport.SILENCE)
                .surveyedNanos(nowNanos - FOREVER_NANOS)
                .surveying(false)
                .freeSinceNanos(Optional.<Long>empty())
                .freeIn(Ballot.NONE)
                .holdBackUntilNanos(nowNanos)
                .lock(Optional.<LockRecord>empty())
                .lockSeen(false)
                .released(Ballot.NONE)
                .misses(0)
                .missedIn(Ballot.NONE)
                .bidAgainNanos(nowNanos)
                .reclaiming(false)
                .reclaimedNanos(nowNanos)
                .takeover(Optional.<Failover>empty())
                .published(Optional.<MemberRecord>empty())
                .publishedNanos(nowNanos)
                .leads(Collections.<AgentRequest>emptyList())
                .cedes(Collections.<AgentRequest>emptyList())
                .cedeHoldBackMillis(0)
                .roleChangedNanos(nowNanos)
                .drainedSinceNanos(Optional.<Long>empty())
                .build();
    }

    abstract AgentSettings settings();

    public abstract AgentStage stage();

    /** When the stage was entered. */
    abstract long stageSinceNanos();

    /** When the process was last looked at. */
    abstract long tickedNanos();

    /** Until when an expired lease is forgiven, because this process itself stood still. */
    abstract long graceUntilNanos();

    public abstract LocalObservation observation();

    /** The number in the next election. */
    abstract long bid();

    /** The last election when the bid was drawn. */
    abstract Ballot bidFor();

    /** Whether the view is as of now. */
    public abstract boolean connected();

    /** Since when; meaningless while it is not. */
    abstract long connectedNanos();

    public abstract View view();

    /** The highest ballot that was ever seen: a ZooKeeper that was wiped or restored shows a lower one. */
    abstract Ballot highest();

    /** The last other member that had the lock. */
    abstract Optional<String> predecessor();

    /** How often in a row an unhealthy active has handed the role on, as that one last said. */
    abstract int inherited();

    /** The same, as this member took over. */
    abstract int passes();

    /** When this NameNode was last unhealthy, or this agent began. */
    abstract long wellSinceNanos();

    /**
     * For how long a change of role has been under way since the lock that it waits for was last held by somebody at work; of the
     * time in which this process ran.
     */
    abstract long idleNanos();

    /** For how long this process stood still while its disk owed the answer that it may owe yet. */
    abstract long diskStoodNanos();

    /** The last answer of the pool. */
    abstract LeaseReport survey();

    /** When it came. */
    abstract long surveyedNanos();

    /** Whether an answer is awaited. */
    abstract boolean surveying();

    /** Since when the pool is seen to believe in nobody, in one and the same ballot. */
    abstract Optional<Long> freeSinceNanos();

    /** That ballot. */
    abstract Ballot freeIn();

    /** Until when others come first. */
    abstract long holdBackUntilNanos();

    /** The lock that this member has, as it was when it was last known. */
    public abstract Optional<LockRecord> lock();

    /** Whether a view was read since that lock was taken; an older one shows nothing of it. */
    abstract boolean lockSeen();

    /** The ballot of the lock that was released last. */
    abstract Ballot released();

    /** How often in a row the lock was asked for in one and the same ballot, and not had. */
    abstract int misses();

    /** That ballot. */
    abstract Ballot missedIn();

    /** Before when it is not asked for again. */
    abstract long bidAgainNanos();

    /** SERVING: whether the lock was asked for. */
    abstract boolean reclaiming();

    /** When. */
    abstract long reclaimedNanos();

    /** The takeover under way. */
    abstract Optional<Failover> takeover();

    /** What the view was told last. */
    public abstract Optional<MemberRecord> published();

    /** When. */
    abstract long publishedNanos();

    /** Who waits for this member to be active. */
    abstract List<AgentRequest> leads();

    /** Who waits for this member to be active no more. */
    abstract List<AgentRequest> cedes();

    /** For how long the last of them wants it to hold back. */
    abstract long cedeHoldBackMillis();

    /** When HDFS was last asked to be an observer, or a standby again. */
    abstract long roleChangedNanos();

    /** Since when this process knows that it is drained; empty if it is not. */
    abstract Optional<Long> drainedSinceNanos();

    abstract Builder toBuilder();

    /** A short line for logs. */
    public final String describe() {
        return "stage=" + stage() + " role=" + observation().role() + " ballot=" + view().ballot() + " lock="
                + view().lock().map(lock -> lock.holder() + "@" + lock.epoch()).orElse("none")
                + (connected() ? "" : " without ZooKeeper");
    }

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder settings(AgentSettings settings);

        abstract Builder stage(AgentStage stage);

        abstract Builder stageSinceNanos(long stageSinceNanos);

        abstract Builder tickedNanos(long tickedNanos);

        abstract Builder graceUntilNanos(long graceUntilNanos);

        abstract Builder observation(LocalObservation observation);

        abstract Builder bid(long bid);

        abstract Builder bidFor(Ballot bidFor);

        abstract Builder connected(boolean connected);

        abstract Builder connectedNanos(long connectedNanos);

        abstract Builder view(View view);

        abstract Builder highest(Ballot highest);

        abstract Builder predecessor(Optional<String> predecessor);

        abstract Builder inherited(int inherited);

        abstract Builder passes(int passes);

        abstract Builder wellSinceNanos(long wellSinceNanos);

        abstract Builder idleNanos(long idleNanos);

        abstract Builder diskStoodNanos(long diskStoodNanos);

        abstract Builder survey(LeaseReport survey);

        abstract Builder surveyedNanos(long surveyedNanos);

        abstract Builder surveying(boolean surveying);

        abstract Builder freeSinceNanos(Optional<Long> freeSinceNanos);

        abstract Builder freeIn(Ballot freeIn);

        abstract Builder holdBackUntilNanos(long holdBackUntilNanos);

        abstract Builder lock(Optional<LockRecord> lock);

        abstract Builder lockSeen(boolean lockSeen);

        abstract Builder released(Ballot released);

        abstract Builder misses(int misses);

        abstract Builder missedIn(Ballot missedIn);

        abstract Builder bidAgainNanos(long bidAgainNanos);

        abstract Builder reclaiming(boolean reclaiming);

        abstract Builder reclaimedNanos(long reclaimedNanos);

        abstract Builder takeover(Optional<Failover> takeover);

        abstract Builder published(Optional<MemberRecord> published);

        abstract Builder publishedNanos(long publishedNanos);

        abstract Builder leads(List<AgentRequest> leads);

        abstract Builder cedes(List<AgentRequest> cedes);

        abstract Builder cedeHoldBackMillis(long cedeHoldBackMillis);

        abstract Builder roleChangedNanos(long roleChangedNanos);

        abstract Builder drainedSinceNanos(Optional<Long> drainedSinceNanos);

        abstract AgentState build();
    }
}
