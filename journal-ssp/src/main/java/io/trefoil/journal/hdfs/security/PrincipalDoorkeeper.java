/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.Doorkeeper;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.access.Right;
import io.trefoil.journal.transport.access.Visitor;
import java.net.InetAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Lets in whom his principal gives a right. A NameNode and a pool node are known by the whole principal but the host; users may
 * have to be looked up, which threads of this do.
 */
final class PrincipalDoorkeeper implements Doorkeeper {

    private final Doorkeeper byAddress;
    private final PoolPrincipals principals;
    private final ServiceList serviceList;
    private final Predicate<String> administrators;
    private final BiFunction<String, String, Optional<String>> onHosts;
    private final LookUps lookUps = new LookUps();

    /**
     * @param byAddress knows from where calls are to be expected; that gives nobody a right
     * @param serviceList must let in everybody as well
     * @param administrators whether a principal is one; may block
     * @param onHosts the principal that a pattern comes to on a host, empty if that cannot be found out; may block
     */
    PrincipalDoorkeeper(
            Doorkeeper byAddress,
            PoolPrincipals principals,
            ServiceList serviceList,
            Predicate<String> administrators,
            BiFunction<String, String, Optional<String>> onHosts) {
        this.byAddress = byAddress;
        this.principals = principals;
        this.serviceList = serviceList;
        this.administrators = administrators;
        this.onHosts = onHosts;
    }

    @Override
    public boolean expects(InetAddress address) {
        return byAddress.expects(address);
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, Visitor visitor) {
        Optional<Identity> proven = visitor.identity(Identity.Kind.PRINCIPAL);
        if (!proven.isPresent()) {
            return LookUps.refused(SessionRefusedException.Reason.AUTHENTICATION, "The caller proved no principal");
        }
        String principal = proven.get().name();
        return serviceList.isOpen()
                ? decide(principal, hello)
                : lookUps.ask(() -> serviceList.refusal(principal, Collections.singleton(principal), visitor.address()))
                        .thenCompose(refusal -> refusal.isPresent()
                                ? LookUps.refused(SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                                : decide(principal, hello));
    }

    private CompletableFuture<Caller> decide(String principal, Hello hello) {
        if (principals.isNameNode(principal)) {
            // A NameNode that is known at once waits for nobody's lookups.
            return principals.isWriter(principal, hello.journal())
                    ? CompletableFuture.completedFuture(caller(principal, EnumSet.allOf(Right.class)))
                    : lookUps.ask(() -> nameNode(principal, hello.journal()));
        }
        if (principals.isNode(principal)) {
            return lookUps.ask(() -> node(principal, hello.callerNode()));
        }
        return lookUps.ask(() -> administrators.test(principal)
                        ? Optional.of(caller(principal, EnumSet.of(Right.READ, Right.ADMINISTER)))
                        : Optional.<Caller>empty())
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found.get())
                        : LookUps.refused(SessionRefusedException.Reason.FORBIDDEN, stranger(principal)));
    }

    /** Writes the journal of its own nameservice only; it takes part in the pool of all. */
    private Caller nameNode(String principal, JournalId journal) {
        Caller caller = caller(principal, EnumSet.allOf(Right.class));
        return principals.isWriter(principal, journal, onHosts)
                ? caller
                : caller.notWriting(principals.writers().text(journal));
    }

    /** Joins only as itself: who is at that host proves it to all others by the same principal. */
    private Caller node(String principal, Optional<NodeAddress> own) {
        return own.filter(node -> onHosts.apply(principals.nodes(), node.host()).equals(Optional.of(principal)))
                .map(node ->
                        caller(principal, EnumSet.of(Right.READ, Right.JOIN)).joiningOnly(node))
                .orElseGet(() -> caller(principal, EnumSet.of(Right.READ)));
    }

    private static Caller caller(String principal, EnumSet<Right> rights) {
        return Caller.of(principal + " (auth:KERBEROS)", rights);
    }

    private String stranger(String principal) {
        return principal + " may not use the journals of this cluster: it is no NameNode (" + principals.nameNodes()
                + "), no pool node (" + principals.nodes() + ") and no user of " + Administrators.settings();
    }
}
