/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The process at the other end of a connection, as far as it is known, with its rights. Immutable. */
@AutoValue
public abstract class Caller {

    /** @param name for logs and refusals: how the caller is known */
    public static Caller of(String name, Set<AccessRight> rights) {
        return new AutoValue_Caller(
                name,
                Collections.unmodifiableSet(copyOf(rights)),
                Optional.<Identity>empty(),
                Optional.<NodeAddress>empty(),
                Optional.<String>empty());
    }

    /** Creates a caller with a proven certificate, which states the hosts that it may speak for. */
    public static Caller of(Identity identity, Set<AccessRight> rights) {
        return new AutoValue_Caller(
                identity.name(),
                Collections.unmodifiableSet(copyOf(rights)),
                Optional.of(identity),
                Optional.<NodeAddress>empty(),
                Optional.<String>empty());
    }

    /** A copy that may request only the membership of this node. */
    public final Caller withJoinOnly(NodeAddress node) {
        return new AutoValue_Caller(name(), rights(), identity(), Optional.of(node), noWriterReason());
    }

    /** A copy without the rights reserved for the journal's writers: to write it, and to forward calls. */
    public final Caller withoutWriting(String reason) {
        Set<AccessRight> fewer = copyOf(rights());
        fewer.remove(AccessRight.WRITE);
        fewer.remove(AccessRight.FORWARD);
        return new AutoValue_Caller(
                name(), Collections.unmodifiableSet(fewer), identity(), joinableNode(), Optional.of(reason));
    }

    /** A copy without rights, after the caller lost everything that it was admitted for. */
    public final Caller withoutRights() {
        return new AutoValue_Caller(
                name(), Collections.<AccessRight>emptySet(), identity(), joinableNode(), noWriterReason());
    }

    private static Set<AccessRight> copyOf(Set<AccessRight> rights) {
        EnumSet<AccessRight> copy = EnumSet.noneOf(AccessRight.class);
        copy.addAll(rights);
        return copy;
    }

    public abstract String name();

    public abstract Set<AccessRight> rights();

    /** The hosts that it may speak for, and the kind of proof; empty if nothing was proven. */
    abstract Optional<Identity> identity();

    /** The only node whose membership it may ask for by {@link AccessRight#JOIN}; empty for any. */
    abstract Optional<NodeAddress> joinableNode();

    /** Returns why the caller may not write the journal, for refusals; empty if that was not restricted. */
    abstract Optional<String> noWriterReason();

    /** Returns why the caller may not have a session in a role; empty if it may. */
    public final Optional<String> refusalOf(Hello.CallerRole role) {
        AccessRight wanted = role == Hello.CallerRole.WRITER ? AccessRight.WRITE : AccessRight.READ;
        return rights().contains(wanted)
                ? Optional.<String>empty()
                : Optional.of(name() + " has no right to " + wanted + " here, which a session as " + role + " needs"
                        + refusalReason(wanted));
    }

    /** Returns why a request is not performed in a session in a role; empty if it is. */
    public final Optional<String> refusalOf(Hello.CallerRole role, PoolRequest request) {
        RequestRule rule = RequestRule.of(request);
        AccessRight right = rule.requiredRight();
        if (!rule.roles().contains(role)) {
            return Optional.of(rule.request() + " does not belong in a session as " + role);
        }
        if (right == AccessRight.JOIN
                && joinableNode().isPresent()
                && !joinableNode().equals(joiningNode(request))) {
            return Optional.of(name() + " is the pool node at " + joinableNode().get() + ", and no other joins for it");
        }
        if (!rights().contains(right)) {
            return Optional.of(name() + " has no right to " + right + " here, which " + rule.request() + " needs"
                    + refusalReason(right));
        }
        return right == AccessRight.JOIN ? joinRefusalReason(request) : Optional.<String>empty();
    }

    private String refusalReason(AccessRight right) {
        boolean ofWriters = right == AccessRight.WRITE || right == AccessRight.FORWARD;
        return ofWriters ? noWriterReason().map(reason -> ": " + reason).orElse("") : "";
    }

    /**
     * Returns why a node may not ask for this membership: a node that has proved its host may ask only for itself.
     * Empty if it may.
     */
    private Optional<String> joinRefusalReason(PoolRequest request) {
        Optional<String> host = joiningNode(request).map(NodeAddress::host);
        boolean isOther =
                identity().isPresent() && host.isPresent() && !identity().get().representsHost(host.get());
        return isOther
                ? Optional.of(name() + " is of " + identity().get().hosts() + ", and asks that " + host.get()
                        + " may join: a node may ask that only for itself")
                : Optional.<String>empty();
    }

    private static Optional<NodeAddress> joiningNode(PoolRequest request) {
        return request instanceof ChangeMembersRequest
                ? ((ChangeMembersRequest) request).change().joiningAddress()
                : Optional.<NodeAddress>empty();
    }
}
