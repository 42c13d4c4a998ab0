/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * A requested change of the members. A writer works on it as long as it is requested; repeating the request changes
 * nothing. Immutable.
 */
@AutoValue
public abstract class MemberChange {

    /** The kind of a change, which says what is requested, and by whom. */
    public enum Kind {
        /** A node wants to become a member. */
        JOIN,
        /** An operator wants a node to become a member, even one that was removed. */
        ADD,
        /** An operator wants a member removed. */
        REMOVE,
        /** An operator wants a member removed, even if that leaves fewer voters than a writer needs to begin. */
        FORCED_REMOVE,
        /** An operator wants one node to replace another. */
        REPLACE,
        /** An operator wants a node to receive everything but never vote. */
        ADD_LEARNER
    }

    public static MemberChange join(String ticket, NodeAddress address) {
        return of(ticket, Kind.JOIN, Optional.of(address), Optional.<NodeId>empty());
    }

    public static MemberChange add(String ticket, NodeAddress address) {
        return of(ticket, Kind.ADD, Optional.of(address), Optional.<NodeId>empty());
    }

    public static MemberChange addLearner(String ticket, NodeAddress address) {
        return of(ticket, Kind.ADD_LEARNER, Optional.of(address), Optional.<NodeId>empty());
    }

    public static MemberChange remove(String ticket, NodeId leavingNode) {
        return of(ticket, Kind.REMOVE, Optional.<NodeAddress>empty(), Optional.of(leavingNode));
    }

    public static MemberChange forcedRemove(String ticket, NodeId leavingNode) {
        return of(ticket, Kind.FORCED_REMOVE, Optional.<NodeAddress>empty(), Optional.of(leavingNode));
    }

    public static MemberChange replace(String ticket, NodeId leavingNode, NodeAddress joiningNode) {
        return of(ticket, Kind.REPLACE, Optional.of(joiningNode), Optional.of(leavingNode));
    }

    /** @throws IllegalArgumentException if the nodes given are not those that the kind needs */
    public static MemberChange of(
            String ticket, Kind kind, Optional<NodeAddress> joiningNode, Optional<NodeId> leavingNode) {
        boolean joins = kind != Kind.REMOVE && kind != Kind.FORCED_REMOVE;
        boolean leaves = !joins || kind == Kind.REPLACE;
        if (joiningNode.isPresent() != joins || leavingNode.isPresent() != leaves) {
            throw new IllegalArgumentException(
                    "Not the nodes for " + kind + ": joining " + joiningNode + ", leaving " + leavingNode);
        }
        return new AutoValue_MemberChange(TextFields.requireToken("ticket", ticket), kind, joiningNode, leavingNode);
    }

    /** Identifies this request; each run of a command uses a new ticket, so that it cannot mistake an old answer for its own. */
    public abstract String ticket();

    public abstract Kind kind();

    /** The address of the node that is to become a member. */
    public abstract Optional<NodeAddress> joiningAddress();

    /** The storage that is to be removed. */
    public abstract Optional<NodeId> leavingNode();
}
