/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/** The record that a member publishes about itself in the global view. Immutable. */
@AutoValue
public abstract class MemberRecord {

    public static Builder builder() {
        return new AutoValue_MemberRecord.Builder()
                .role(HaRole.STANDBY)
                .state(MemberState.JUNIOR)
                .eligible(false)
                .electable(true)
                .priority(0)
                .site("")
                .reason("")
                .sinceMillis(0)
                .appliedTxId(0)
                .lag(0)
                .lagMillis(0)
                .preparing(false)
                .epoch(Epoch.NONE)
                .bid(0)
                .instance("")
                .handovers(0);
    }

    /** The NameNode's id in its nameservice, such as {@code nn1}. */
    public abstract String name();

    public abstract MemberAddresses addresses();

    /** The version of Trefoil's jar. */
    public abstract String version();

    public abstract MemberState state();

    /** The member's role in HDFS: a standby that is an observer serves reads. */
    public abstract HaRole role();

    /** Whether the member could be active now: electable, healthy, and in a role from which HDFS allows it. */
    public abstract boolean eligible();

    /** Whether its configuration allows it to be active. */
    public abstract boolean electable();

    /** The priority; among standbys, the one with the highest is elected. */
    public abstract int priority();

    /** The member's site, as its operators named it; empty if they did not. */
    public abstract String site();

    /** Returns why it is a junior, or which problem it has; empty if there is none. */
    public abstract String reason();

    /** The time since which the member has been in its state, by its wall clock; for human readers. */
    public abstract long sinceMillis();

    /** The last transaction that its namespace holds. */
    public abstract long appliedTxId();

    /** Returns the number of committed transactions that it has not applied yet, as far as it knows. */
    public abstract long lag();

    /**
     * Returns how long ago it learned of the oldest committed transaction that it has not applied; 0 if there is none.
     */
    public abstract long lagMillis();

    /**
     * Whether the member is doing work that must end before it becomes active: counting quotas, or reading calls that clients may retry.
     */
    public abstract boolean preparing();

    /** The newest epoch that its pool node promised; the active's own. */
    public abstract Epoch epoch();

    /** The bid for the next election, drawn at random; the largest wins (paper, Algorithm 2). */
    public abstract long bid();

    /** Identifies the process: a restart of the same NameNode has another instance. */
    public abstract String instance();

    /**
     * Returns how often in a row an unhealthy active handed over its role; a member that takes over from this one continues the count.
     */
    public abstract int handovers();

    public abstract Builder toBuilder();

    /** Whether this record differs from another one in more than its progress. */
    public final boolean differsBeyondProgress(MemberRecord other) {
        return !withoutProgress().equals(other.withoutProgress());
    }

    private MemberRecord withoutProgress() {
        return toBuilder().appliedTxId(0).lag(0).lagMillis(0).build();
    }

    /** Collects the properties that a member reports about itself. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder name(String name);

        public abstract Builder addresses(MemberAddresses addresses);

        public abstract Builder version(String version);

        public abstract Builder state(MemberState state);

        public abstract Builder role(HaRole role);

        public abstract Builder eligible(boolean eligible);

        public abstract Builder electable(boolean electable);

        public abstract Builder priority(int priority);

        public abstract Builder site(String site);

        public abstract Builder reason(String reason);

        public abstract Builder sinceMillis(long millis);

        public abstract Builder appliedTxId(long appliedTxId);

        public abstract Builder lag(long lag);

        public abstract Builder lagMillis(long millis);

        public abstract Builder preparing(boolean preparing);

        public abstract Builder epoch(Epoch epoch);

        public abstract Builder bid(long bid);

        public abstract Builder instance(String instance);

        public abstract Builder handovers(int handovers);

        public abstract MemberRecord build();
    }
}
