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
import io.trefoil.journal.model.Epoch;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Everything that an agent knows. Immutable; times are in nanoseconds, by the agent's own monotonic clock. */
@AutoValue
public abstract class AgentState {

    static final long NANOS_PER_MILLI = 1_000_000L;
    static final long FOREVER_NANOS = 3_600_000_000_000L;

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
                .bidBallot(Ballot.NONE)
                .connected(false)
                .connectedNanos(nowNanos)
                .view(View.NOTHING)
                .highest(Ballot.NONE)
                .shownEpoch(Epoch.NONE)
                .predecessor(Optional.<LockRecord>empty())
                .inherited(0)
                .handovers(0)
                .wellSinceNanos(nowNanos)
                .idleNanos(0)
                .diskStoodNanos(0)
                .survey(LeaseReport.SILENCE)
                .surveyedNanos(nowNanos - FOREVER_NANOS)
                .aloneNanos(nowNanos - FOREVER_NANOS)
                .leasedNanos(nowNanos - FOREVER_NANOS)
                .surveying(false)
                .surveyedWhileHeld(false)
                .freeSinceNanos(Optional.<Long>empty())
                .freeBallot(Ballot.NONE)
                .holdBackUntilNanos(nowNanos)
                .lock(Optional.<LockRecord>empty())
                .lockSeen(false)
                .released(Ballot.NONE)
                .misses(0)
                .missesBallot(Ballot.NONE)
                .bidAgainNanos(nowNanos)
                .reclaiming(false)
                .reclaimedNanos(nowNanos)
                .takeover(Optional.<Failover>empty())
                .published(Optional.<MemberRecord>empty())
                .publishedNanos(nowNanos)
                .pendingTakeovers(Collections.<AgentRequest>emptyList())
                .takeoverRequestedNanos(nowNanos)
                .takeoverRequestedBallot(Ballot.NONE)
                .pendingStepDowns(Collections.<AgentRequest>emptyList())
                .cedeHoldBackMillis(0)
                .roleChangedNanos(nowNanos)
                .drainedSinceNanos(Optional.<Long>empty())
                .build();
    }

    public abstract AgentSettings settings();

    public abstract AgentStage stage();

    /** The time at which the stage was entered. */
    abstract long stageSinceNanos();

    /** The time at which the process was last looked at. */
    abstract long tickedNanos();

    /** The time until which an expired lease is forgiven, because this process itself was paused. */
    abstract long graceUntilNanos();

    public abstract LocalObservation observation();

    /** The bid of this member for the next election. */
    abstract long bid();

    /** The last ballot when the bid was drawn. */
    abstract Ballot bidBallot();

    /** Whether the view is current. */
    public abstract boolean connected();

    /** The time since which the view is current; meaningless while it is not. */
    abstract long connectedNanos();

    public abstract View view();

    /** The highest ballot ever seen: a ZooKeeper that was wiped or restored shows a lower one. */
    abstract Ballot highest();

    /**
     * The highest epoch that the lock of another member ever showed. A majority of the journal's nodes has promised it, so nodes that
     * all know only lower ones are of another journal.
     */
    abstract Epoch shownEpoch();

    /** The last other member that held the lock. */
    abstract Optional<LockRecord> predecessor();

    /** The number of handovers in a row by unhealthy actives, as the predecessor last reported it. */
    abstract int inherited();

    /** The number of handovers in a row by unhealthy actives, at the time this member took over. */
    abstract int handovers();

    /** The time at which this NameNode was last unhealthy, or this agent began. */
    abstract long wellSinceNanos();

    /**
     * How long a change of role has been under way without progress by the holder of the lock that it waits for. Counts
     * only time in which this process ran.
     */
    abstract long idleNanos();

    /** How long this process was paused while its disk owed the answer that it may still owe. */
    abstract long diskStoodNanos();

    /** The last answer of the pool. */
    abstract LeaseReport survey();

    /** The time of the pool's last answer. */
    abstract long surveyedNanos();

    /** The time at which an answer last showed that no other process could have a term. */
    abstract long aloneNanos();

    /** The time at which something was last left of this member's lease. */
    abstract long leasedNanos();

    /** Whether an answer is awaited. */
    abstract boolean surveying();

    /** Whether this member's own pool node believed in a writer when the pool was last asked. */
    abstract boolean surveyedWhileHeld();

    /** The time since which the pool has believed in no writer, within one ballot. */
    abstract Optional<Long> freeSinceNanos();

    /** The ballot in which {@link #freeSinceNanos} was set. */
    abstract Ballot freeBallot();

    /** The time until which this member lets others go first. */
    abstract long holdBackUntilNanos();

    /** The lock that this member holds, as last known. */
    public abstract Optional<LockRecord> lock();

    /** Whether a view was read since this member took the lock; an older view does not show it. */
    abstract boolean lockSeen();

    /** The ballot of the lock that was released last. */
    abstract Ballot released();

    /** How often in a row this member asked for the lock in one ballot and did not get it. */
    abstract int misses();

    /** The ballot in which {@link #misses} are counted. */
    abstract Ballot missesBallot();

    /** The time before which this member does not ask for the lock again. */
    abstract long bidAgainNanos();

    /** Whether this member has asked for the lock while it was serving. */
    abstract boolean reclaiming();

    /** The time at which this member asked for the lock while it was serving. */
    abstract long reclaimedNanos();

    /** The takeover under way. */
    abstract Optional<Failover> takeover();

    /** The record published last in the view. */
    public abstract Optional<MemberRecord> published();

    /** The time at which the record was published. */
    abstract long publishedNanos();

    /** Requests that wait for this member to become active. */
    abstract List<AgentRequest> pendingTakeovers();

    /** The time at which the first of the pending takeovers was requested. */
    abstract long takeoverRequestedNanos();

    /** The ballot in which the first of the pending takeovers was requested. */
    abstract Ballot takeoverRequestedBallot();

    /** Requests that wait for this member to stop being active. */
    abstract List<AgentRequest> pendingStepDowns();

    /** How long the last request to step down wants this member to hold back. */
    abstract long cedeHoldBackMillis();

    /** The time at which HDFS was last asked to be an observer, or a standby again. */
    abstract long roleChangedNanos();

    /** The time since which this process knows that it is drained; empty if it is not. */
    abstract Optional<Long> drainedSinceNanos();

    abstract Builder toBuilder();

    /** Of what the rules decide by, the same in each process: for traces. */
    public final long digest() {
        return Objects.hash(
                stage().name(),
                stageSinceNanos(),
                tickedNanos(),
                graceUntilNanos(),
                bid(),
                bidBallot(),
                connected(),
                view().ballot(),
                highest(),
                shownEpoch(),
                idleNanos(),
                surveyedNanos(),
                aloneNanos(),
                surveying(),
                freeSinceNanos(),
                holdBackUntilNanos(),
                lock(),
                misses(),
                reclaiming(),
                publishedNanos(),
                pendingTakeovers().size(),
                pendingStepDowns().size());
    }

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

        abstract Builder bidBallot(Ballot bidFor);

        abstract Builder connected(boolean connected);

        abstract Builder connectedNanos(long connectedNanos);

        abstract Builder view(View view);

        abstract Builder highest(Ballot highest);

        abstract Builder shownEpoch(Epoch shownEpoch);

        abstract Builder predecessor(Optional<LockRecord> predecessor);

        abstract Builder inherited(int inherited);

        abstract Builder handovers(int passes);

        abstract Builder wellSinceNanos(long wellSinceNanos);

        abstract Builder idleNanos(long idleNanos);

        abstract Builder diskStoodNanos(long diskStoodNanos);

        abstract Builder survey(LeaseReport survey);

        abstract Builder surveyedNanos(long surveyedNanos);

        abstract Builder aloneNanos(long aloneNanos);

        abstract Builder leasedNanos(long leasedNanos);

        abstract Builder surveying(boolean surveying);

        abstract Builder surveyedWhileHeld(boolean askedWhileHeld);

        abstract Builder freeSinceNanos(Optional<Long> freeSinceNanos);

        abstract Builder freeBallot(Ballot freeIn);

        abstract Builder holdBackUntilNanos(long holdBackUntilNanos);

        abstract Builder lock(Optional<LockRecord> lock);

        abstract Builder lockSeen(boolean lockSeen);

        abstract Builder released(Ballot released);

        abstract Builder misses(int misses);

        abstract Builder missesBallot(Ballot missedIn);

        abstract Builder bidAgainNanos(long bidAgainNanos);

        abstract Builder reclaiming(boolean reclaiming);

        abstract Builder reclaimedNanos(long reclaimedNanos);

        abstract Builder takeover(Optional<Failover> takeover);

        abstract Builder published(Optional<MemberRecord> published);

        abstract Builder publishedNanos(long publishedNanos);

        abstract Builder pendingTakeovers(List<AgentRequest> pendingTakeovers);

        abstract Builder takeoverRequestedNanos(long leadAskedNanos);

        abstract Builder takeoverRequestedBallot(Ballot leadAskedIn);

        abstract Builder pendingStepDowns(List<AgentRequest> pendingStepDowns);

        abstract Builder cedeHoldBackMillis(long cedeHoldBackMillis);

        abstract Builder roleChangedNanos(long roleChangedNanos);

        abstract Builder drainedSinceNanos(Optional<Long> drainedSinceNanos);

        abstract AgentState build();
    }
}
