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

/** Who is at the other end of a connection, as far as it is known, and what he may do. Immutable. */
@AutoValue
public abstract class Caller {

    /** @param name for logs and refusals: what he is known by */
    public static Caller of(String name, Set<Right> rights) {
        return new AutoValue_Caller(name, Collections.unmodifiableSet(copyOf(rights)), Optional.<NodeAddress>empty());
    }

    /** The same who asks for no other membership than that of this node. */
    public final Caller joiningOnly(NodeAddress node) {
        return new AutoValue_Caller(name(), rights(), Optional.of(node));
    }

    private static Set<Right> copyOf(Set<Right> rights) {
        EnumSet<Right> copy = EnumSet.noneOf(Right.class);
        copy.addAll(rights);
        return copy;
    }

    public abstract String name();

    public abstract Set<Right> rights();

    /** The only node whose membership he may ask for by {@link Right#JOIN}; empty for any. */
    abstract Optional<NodeAddress> joining();

    /** Why he may not have a session of that kind; empty if he may. */
    public final Optional<String> refusalOf(Hello.CallerRole role) {
        Right wanted = role == Hello.CallerRole.WRITER ? Right.WRITE : Right.READ;
        return rights().contains(wanted)
                ? Optional.<String>empty()
                : Optional.of(name() + " has no right to " + wanted + " here, which a session as " + role + " takes");
    }

    /** Why a request in a session of that kind is not performed; empty if it is. */
    public final Optional<String> refusalOf(Hello.CallerRole role, PoolRequest request) {
        RequestRule rule = RequestRule.of(request);
        if (!rule.roles().contains(role)) {
            return Optional.of(rule.request() + " does not belong in a session as " + role);
        }
        if (rule.right() == Right.JOIN && joining().isPresent() && !joining().equals(joining(request))) {
            return Optional.of(name() + " is the pool node at " + joining().get() + ", and no other joins for it");
        }
        return rights().contains(rule.right())
                ? Optional.<String>empty()
                : Optional.of(
                        name() + " has no right to " + rule.right() + " here, which " + rule.request() + " takes");
    }

    private static Optional<NodeAddress> joining(PoolRequest request) {
        return request instanceof ChangeMembersRequest
                ? ((ChangeMembersRequest) request).change().joining()
                : Optional.<NodeAddress>empty();
    }
}
