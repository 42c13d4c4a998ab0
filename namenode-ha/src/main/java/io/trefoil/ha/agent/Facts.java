/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.Role;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** How the own process is at one moment, as far as that can be seen without waiting for anybody. Immutable. */
@AutoValue
public abstract class Facts {

    /** Before the first look. */
    public static final Facts UNKNOWN = builder().build();

    public static Builder builder() {
        return new AutoValue_Facts.Builder()
                .role(Role.NONE)
                .wallMillis(0)
                .appliedTxId(0)
                .lagMillis(0)
                .trouble("")
                .diskSilentMillis(0)
                .onlyDiskHangs(false)
                .safeMode(false)
                .busy(false)
                .own(Optional.<OwnLease>empty())
                .heard(Optional.<HeardLease>empty());
    }

    public abstract Role role();

    /** By the wall clock, which nothing is decided by. */
    public abstract long wallMillis();

    /** The last transaction that the namespace holds. */
    public abstract long appliedTxId();

    /** How long ago it was heard of the oldest committed transaction that is not applied; 0 if there is none. */
    public abstract long lagMillis();

    /** Why the NameNode is unhealthy; empty if it is not. */
    public abstract String trouble();

    /** For how long the disk of the own copy of the journal owes an answer; 0 if it owes none. */
    public abstract long diskSilentMillis();

    /** Whether the trouble is nothing but the disk of the own copy of the journal. */
    abstract boolean onlyDiskHangs();

    public abstract boolean safeMode();

    /** Whether the lock that a change of role waits for is held by somebody who is at work. */
    public abstract boolean busy();

    /** The term of the own writer; empty if there is none. */
    public abstract Optional<OwnLease> own();

    /** What the own pool node has heard; empty if there is no node, or it is in trouble. */
    public abstract Optional<HeardLease> heard();

    abstract Builder toBuilder();

    /**
     * The same with a disk that hangs for too long as trouble: the NameNode goes on with the other copies, but what is acknowledged
     * then is in one place fewer, and whatever else is on that disk hangs as well.
     */
    final Facts judged(AgentSettings settings) {
        boolean hangs = diskSilentMillis() > settings.diskTimeoutMillis();
        return hangs && trouble().isEmpty()
                ? toBuilder()
                        .trouble("the disk of its copy of the journal did not answer for "
                                + settings.diskTimeoutMillis() + " ms")
                        .onlyDiskHangs(true)
                        .build()
                : this;
    }

    /** Whether it could be active if there is nobody better: the other copies suffice for that. */
    final boolean couldServe() {
        return trouble().isEmpty() || onlyDiskHangs();
    }

    /** The same in another role. */
    final Facts in(Role role) {
        return toBuilder().role(role).build();
    }

    /** The same with nothing known of the own writer. */
    final Facts withoutTerm() {
        return toBuilder().own(Optional.<OwnLease>empty()).build();
    }

    /** The lease of the own writer. Immutable. */
    @AutoValue
    public abstract static class OwnLease {

        public static OwnLease of(Epoch epoch, boolean fenced, long leftNanos) {
            return new AutoValue_Facts_OwnLease(epoch, fenced, leftNanos);
        }

        public abstract Epoch epoch();

        /** Whether a majority has promised a higher epoch. */
        public abstract boolean fenced();

        /** How long nobody else can be promised a term. */
        public abstract long leftNanos();
    }

    /** The lease of whoever writes, as the own pool node knows it. Immutable. */
    @AutoValue
    public abstract static class HeardLease {

        public static HeardLease of(Epoch promised, boolean held, long committedTxId, boolean abreast) {
            return new AutoValue_Facts_HeardLease(promised, held, committedTxId, abreast);
        }

        public abstract Epoch promised();

        /** Whether the node believes in a writer. */
        public abstract boolean held();

        public abstract long committedTxId();

        /** Whether the node has what the writer has. */
        public abstract boolean abreast();
    }

    /** Collects facts. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder role(Role role);

        public abstract Builder wallMillis(long millis);

        public abstract Builder appliedTxId(long txId);

        public abstract Builder lagMillis(long millis);

        public abstract Builder trouble(String trouble);

        public abstract Builder diskSilentMillis(long millis);

        abstract Builder onlyDiskHangs(boolean only);

        public abstract Builder safeMode(boolean safeMode);

        public abstract Builder busy(boolean busy);

        public abstract Builder own(Optional<OwnLease> own);

        public abstract Builder heard(Optional<HeardLease> heard);

        public abstract Facts build();
    }
}
