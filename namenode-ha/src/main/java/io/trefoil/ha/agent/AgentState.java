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

/** The complete state of an agent. Immutable; times are in nanoseconds, by the agent's own monotonic clock. */
@AutoValue
public abstract class AgentState {

    static final long NANOS_PER_MILLI = 1_000_000L;
    static final long FOREVER_NANOS = 3_600_000_000_000L;

    /** Returns the state of an agent that has seen nothing yet. */
    public static AgentState begin(AgentSettings settings, long nowNanos) {
        return new AutoValue_AgentState.Builder()
                .settings(settings)
                .stage(AgentStage.FOLLOWING)
                .stageSinceNanos(nowNanos)
                .lastTickNanos(nowNanos)
                .graceUntilNanos(nowNanos)
                .observation(LocalObservation.UNKNOWN)
                .bid(0)
                .bidBallot(Ballot.NONE)
                .connected(false)
                .connectedNanos(nowNanos)
                .view(View.NOTHING)
                .highestBallot(Ballot.NONE)
                .highestLockEpoch(Epoch.NONE)
                .predecessor(Optional.<LockRecord>empty())
                .inheritedHandovers(0)
                .handovers(0)
                .healthySinceNanos(nowNanos)
                .idleNanos(0)
                .diskPausedNanos(0)
                .survey(LeaseReport.SILENCE)
                .lastSurveyNanos(nowNanos - FOREVER_NANOS)
                .soleWriterNanos(nowNanos - FOREVER_NANOS)
                .leaseValidNanos(nowNanos - FOREVER_NANOS)
                .surveyPending(false)
                .surveyedWhileLeaseHeld(false)
                .freeSinceNanos(Optional.<Long>empty())
                .freeBallot(Ballot.NONE)
                .holdBackUntilNanos(nowNanos)
                .lock(Optional.<LockRecord>empty())
                .lockSeen(false)
                .releasedBallot(Ballot.NONE)
                .lostBids(0)
                .lostBidsBallot(Ballot.NONE)
                .nextBidNanos(nowNanos)
                .reclaimPending(false)
                .reclaimRequestedNanos(nowNanos)
                .takeover(Optional.<Failover>empty())
                .publishedRecord(Optional.<MemberRecord>empty())
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

    /** The time at which the process was last checked. */
    abstract long lastTickNanos();

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

    /** The highest ballot ever seen: a ZooKeeper that was wiped or restored would show a lower one. */
    abstract Ballot highestBallot();

    /**
     * The highest epoch that the lock of another member ever showed. A majority of the journal's nodes has promised it, so nodes that
     * all know only lower ones are of another journal.
     */
    abstract Epoch highestLockEpoch();

    /** The last member other than this one that held the lock. */
    abstract Optional<LockRecord> predecessor();

    /** The number of handovers in a row by unhealthy actives, as the predecessor last reported it. */
    abstract int inheritedHandovers();

    /** The number of handovers in a row by unhealthy actives, at the time this member took over. */
    abstract int handovers();

    /** The time at which this NameNode was last unhealthy, or this agent began. */
    abstract long healthySinceNanos();

    /**
     * Returns for how long a change of role has been in progress while the holder of the lock that it waits for made no progress. Counts
     * only time in which this process ran.
     */
    abstract long idleNanos();

    /** Returns how long this process was paused while its disk owed the answer that may still be pending. */
    abstract long diskPausedNanos();

    /** The last answer of the pool. */
    abstract LeaseReport survey();

    /** The time of the pool's last answer. */
    abstract long lastSurveyNanos();

    /** The time at which an answer last showed that no other process could have a term. */
    abstract long soleWriterNanos();

    /** The last time at which this member's lease had not expired. */
    abstract long leaseValidNanos();

    /** Whether an answer of the pool is pending. */
    abstract boolean surveyPending();

    /** Whether this member's own pool node considered a writer alive when the pool was last asked. */
    abstract boolean surveyedWhileLeaseHeld();

    /** The time since which the pool has considered no writer alive, within one ballot. */
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
    abstract Ballot releasedBallot();

    /** Returns how often in a row this member asked for the lock in one ballot and did not get it. */
    abstract int lostBids();

    /** The ballot in which {@link #lostBids} are counted. */
    abstract Ballot lostBidsBallot();

    /** The time before which this member does not ask for the lock again. */
    abstract long nextBidNanos();

    /** Whether this member has asked for the lock while it was serving. */
    abstract boolean reclaimPending();

    /** The time at which this member asked for the lock while it was serving. */
    abstract long reclaimRequestedNanos();

    /** The takeover in progress. */
    abstract Optional<Failover> takeover();

    /** The record published last in the view. */
    public abstract Optional<MemberRecord> publishedRecord();

    /** The time at which that record was published. */
    abstract long publishedNanos();

    /** Requests that wait for this member to become active. */
    abstract List<AgentRequest> pendingTakeovers();

    /** The time at which the first of the pending takeovers was requested. */
    abstract long takeoverRequestedNanos();

    /** The ballot in which the first of the pending takeovers was requested. */
    abstract Ballot takeoverRequestedBallot();

    /** Requests that wait for this member to stop being active. */
    abstract List<AgentRequest> pendingStepDowns();

    /** Returns how long the last request to step down asked this member to hold back. */
    abstract long cedeHoldBackMillis();

    /** The time at which HDFS was last asked to be an observer, or a standby again. */
    abstract long roleChangedNanos();

    /** The time at which this process learned that it is drained; empty if it is not. */
    abstract Optional<Long> drainedSinceNanos();

    abstract Builder toBuilder();

    /** Returns a digest of everything that the rules' decisions depend on, identical in every process; for traces. */
    public final long digest() {
        return Objects.hash(
                stage().name(),
                stageSinceNanos(),
                lastTickNanos(),
                graceUntilNanos(),
                bid(),
                bidBallot(),
                connected(),
                view().ballot(),
                highestBallot(),
                highestLockEpoch(),
                idleNanos(),
                lastSurveyNanos(),
                soleWriterNanos(),
                surveyPending(),
                freeSinceNanos(),
                holdBackUntilNanos(),
                lock(),
                lostBids(),
                reclaimPending(),
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

        abstract Builder lastTickNanos(long lastTickNanos);

        abstract Builder graceUntilNanos(long graceUntilNanos);

        abstract Builder observation(LocalObservation observation);

        abstract Builder bid(long bid);

        abstract Builder bidBallot(Ballot bidBallot);

        abstract Builder connected(boolean connected);

        abstract Builder connectedNanos(long connectedNanos);

        abstract Builder view(View view);

        abstract Builder highestBallot(Ballot highestBallot);

        abstract Builder highestLockEpoch(Epoch highestLockEpoch);

        abstract Builder predecessor(Optional<LockRecord> predecessor);

        abstract Builder inheritedHandovers(int inheritedHandovers);

        abstract Builder handovers(int handovers);

        abstract Builder healthySinceNanos(long healthySinceNanos);

        abstract Builder idleNanos(long idleNanos);

        abstract Builder diskPausedNanos(long diskPausedNanos);

        abstract Builder survey(LeaseReport survey);

        abstract Builder lastSurveyNanos(long lastSurveyNanos);

        abstract Builder soleWriterNanos(long soleWriterNanos);

        abstract Builder leaseValidNanos(long leaseValidNanos);

        abstract Builder surveyPending(boolean surveyPending);

        abstract Builder surveyedWhileLeaseHeld(boolean surveyedWhileLeaseHeld);

        abstract Builder freeSinceNanos(Optional<Long> freeSinceNanos);

        abstract Builder freeBallot(Ballot freeBallot);

        abstract Builder holdBackUntilNanos(long holdBackUntilNanos);

        abstract Builder lock(Optional<LockRecord> lock);

        abstract Builder lockSeen(boolean lockSeen);

        abstract Builder releasedBallot(Ballot releasedBallot);

        abstract Builder lostBids(int lostBids);

        abstract Builder lostBidsBallot(Ballot lostBidsBallot);

        abstract Builder nextBidNanos(long nextBidNanos);

        abstract Builder reclaimPending(boolean reclaimPending);

        abstract Builder reclaimRequestedNanos(long reclaimRequestedNanos);

        abstract Builder takeover(Optional<Failover> takeover);

        abstract Builder publishedRecord(Optional<MemberRecord> publishedRecord);

        abstract Builder publishedNanos(long publishedNanos);

        abstract Builder pendingTakeovers(List<AgentRequest> pendingTakeovers);

        abstract Builder takeoverRequestedNanos(long takeoverRequestedNanos);

        abstract Builder takeoverRequestedBallot(Ballot takeoverRequestedBallot);

        abstract Builder pendingStepDowns(List<AgentRequest> pendingStepDowns);

        abstract Builder cedeHoldBackMillis(long cedeHoldBackMillis);

        abstract Builder roleChangedNanos(long roleChangedNanos);

        abstract Builder drainedSinceNanos(Optional<Long> drainedSinceNanos);

        abstract AgentState build();
    }
}
