/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberAddresses;
import java.time.Duration;

/** An agent's own name and group, and its timeouts and limits; times in milliseconds. Immutable. */
@AutoValue
public abstract class AgentSettings {
    /** How long a planned failover waits for a member that is preparing. */
    public static final Duration PREPARATION_TIMEOUT = Duration.ofSeconds(20);

    /** How long an elected member may take to win a majority once its predecessor's lease has ended. */
    private static final long MAJORITY_MILLIS = 10_000;

    public static Builder builder() {
        return new AutoValue_AgentSettings.Builder()
                .addresses(MemberAddresses.of("", "", ""))
                .version("")
                .instance("")
                .bidDelayMillis(150)
                .stepDownMillis(10_000)
                .juniorBidDelayMillis(10_000)
                .holdBackMillis(3_000)
                .publishMillis(1_000)
                .diskTimeoutMillis(30_000)
                .leaseMillis(1_000)
                .maxLag(10_000)
                .standbysServeReads(false)
                .electable(true)
                .priority(0)
                .site("");
    }

    /** The NameNode's id. */
    public abstract String name();

    public abstract MemberAddresses addresses();

    public abstract String version();

    /** Distinguishes this process from any other process with the same id. */
    public abstract String instance();

    /** Returns how long to wait for a better bidder before the next candidate tries. */
    public abstract long bidDelayMillis();

    /** Returns how long an elected member may take to get its epoch before others may be elected. */
    public final long takeoverMillis() {
        return leaseMillis() + MAJORITY_MILLIS;
    }

    /**
     * Returns how long HDFS may be changing its role, in either direction, without progress before its process is terminated.
     */
    public abstract long stepDownMillis();

    /** Returns how long to wait for an inactive standby before a junior tries. */
    public abstract long juniorBidDelayMillis();

    /** Returns how long a member that gave up the active's role leaves that role to others. */
    public abstract long holdBackMillis();

    /** Returns how often all members together publish their progress. */
    public abstract long publishMillis();

    /**
     * Returns how long the disk of the NameNode's own replica of the journal may owe an answer before the NameNode counts as
     * unhealthy.
     */
    public abstract long diskTimeoutMillis();

    /** Returns how long a pool node grants no epoch after it heard from the writer, or started. */
    public abstract long leaseMillis();

    /** Returns the number of unapplied transactions that a member may have and still be a standby. */
    public abstract long maxLag();

    /** Whether all standbys except one serve reads, and so are observers. */
    public abstract boolean standbysServeReads();

    /** Whether this member may become active at all; if not, it is an observer and takes no part in elections. */
    public abstract boolean electable();

    /** The priority of this member; among standbys, the one with the highest is elected. */
    public abstract int priority();

    /** The site of this NameNode; empty if none is configured. */
    public abstract String site();

    /** Collects settings; all but the name have defaults. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder name(String name);

        public abstract Builder addresses(MemberAddresses addresses);

        public abstract Builder version(String version);

        public abstract Builder instance(String instance);

        public abstract Builder bidDelayMillis(long millis);

        public abstract Builder stepDownMillis(long millis);

        public abstract Builder juniorBidDelayMillis(long millis);

        public abstract Builder holdBackMillis(long millis);

        public abstract Builder publishMillis(long millis);

        public abstract Builder diskTimeoutMillis(long millis);

        public abstract Builder leaseMillis(long millis);

        public abstract Builder maxLag(long maxLag);

        public abstract Builder standbysServeReads(boolean standbysServeReads);

        public abstract Builder electable(boolean electable);

        public abstract Builder priority(int priority);

        public abstract Builder site(String site);

        public abstract AgentSettings build();
    }
}
