/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Member;
import java.util.Optional;

/** The observation of one pool node: its own answer, and the writer's report about it. Immutable. */
@AutoValue
public abstract class NodeObservation {

    /** The state of a node, according to its answer. */
    public enum State {
        SERVES("serves"),
        /** The node serves, but found damage in its log, refetches the damaged part, and does not count. */
        REFETCHING("refetching"),
        NOT_FORMATTED("not formatted"),
        FAILED("failed"),
        DOWN("down");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** The printed word. */
        public String label() {
            return word;
        }
    }

    public static Builder builder() {
        return new AutoValue_NodeObservation.Builder()
                .owner("")
                .site("")
                .kind(Optional.<Member.Kind>empty())
                .details("")
                .inSync(Optional.<Boolean>empty())
                .lagEntries(0)
                .leased(false)
                .diskSilentMillis(0)
                .unapplied("");
    }

    /** The address, as {@code host:port}. */
    public abstract String address();

    /** The NameNode in whose process it runs; empty if it is stand-alone. */
    public abstract String owner();

    /** The node's site; empty if that is not known. */
    public abstract String site();

    public abstract State state();

    /** Details of the state; empty if there is nothing to say. */
    public abstract String details();

    /** The node's kind of membership; empty if it is not a member of the journal. */
    public abstract Optional<Member.Kind> kind();

    /** Whether the writer sends it each batch as it is written; empty if no writer reports it. */
    public abstract Optional<Boolean> inSync();

    /** Returns the number of entries that it lacks. */
    public abstract long lagEntries();

    /** Whether the node currently considers a writer alive, and gives no promise to any other. */
    public abstract boolean leased();

    /** Returns how long its disk has owed an answer; 0 if it owes none. */
    public abstract long diskSilentMillis();

    /** The edit that the NameNode in its process cannot apply, and why; empty if there is none. */
    public abstract String unapplied();

    final boolean isVoter() {
        return kind().filter(own -> own == Member.Kind.VOTER).isPresent();
    }

    /** Collects the observations. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder address(String address);

        public abstract Builder owner(String owner);

        public abstract Builder site(String site);

        public abstract Builder state(State state);

        public abstract Builder details(String details);

        public abstract Builder kind(Optional<Member.Kind> kind);

        public abstract Builder inSync(Optional<Boolean> inSync);

        public abstract Builder lagEntries(long entries);

        public abstract Builder leased(boolean leased);

        public abstract Builder diskSilentMillis(long millis);

        public abstract Builder unapplied(String unapplied);

        public abstract NodeObservation build();
    }
}
