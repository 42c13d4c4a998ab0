/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.access.Identity;
import java.net.InetAddress;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Admits callers whose principal gives them a right. NameNodes and pool nodes are recognised by the whole principal
 * except the host; users may have to be looked up, on threads of this class.
 */
final class PrincipalAccessController implements AccessController {

    private final AccessController byAddress;
    private final PoolPrincipals principals;
    private final ServiceAcl serviceList;
    private final Predicate<String> administrators;
    private final BiFunction<String, String, Optional<String>> onHosts;
    private final CallerLookups callerLookups = new CallerLookups();

    /**
     * @param byAddress knows from which addresses to expect calls; that gives no right
     * @param serviceList must admit every caller too
     * @param administrators whether a principal is one; may block
     * @param onHosts the principal that a pattern stands for on a host, empty if it cannot be found; may block
     */
    PrincipalAccessController(
            AccessController byAddress,
            PoolPrincipals principals,
            ServiceAcl serviceList,
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
    public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
        Optional<Identity> proven = credentials.identity(Identity.Kind.PRINCIPAL);
        if (!proven.isPresent()) {
            return CallerLookups.refused(
                    SessionRefusedException.Reason.AUTHENTICATION, "The caller proved no principal");
        }
        String principal = proven.get().name();
        return serviceList.isOpen()
                ? decide(principal, hello)
                : callerLookups
                        .ask(() ->
                                serviceList.refusal(principal, Collections.singleton(principal), credentials.address()))
                        .thenCompose(refusal -> refusal.isPresent()
                                ? CallerLookups.refused(SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                                : decide(principal, hello));
    }

    private CompletableFuture<Caller> decide(String principal, Hello hello) {
        if (principals.isNameNode(principal)) {
            // A NameNode that is recognised at once waits for no look-up.
            return principals.isWriter(principal, hello.journal())
                    ? CompletableFuture.completedFuture(caller(principal, EnumSet.allOf(AccessRight.class)))
                    : callerLookups.ask(() -> nameNode(principal, hello.journal()));
        }
        if (principals.isNode(principal)) {
            return callerLookups.ask(() -> node(principal, hello.callerNode()));
        }
        return callerLookups
                .ask(() -> administrators.test(principal)
                        ? Optional.of(caller(principal, EnumSet.of(AccessRight.READ, AccessRight.ADMINISTER)))
                        : Optional.<Caller>empty())
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found.get())
                        : CallerLookups.refused(
                                SessionRefusedException.Reason.FORBIDDEN, unknownPrincipalText(principal)));
    }

    /** A NameNode writes only the journal of its own nameservice; it takes part in the pool of all. */
    private Caller nameNode(String principal, JournalId journal) {
        Caller caller = caller(principal, EnumSet.allOf(AccessRight.class));
        return principals.isWriter(principal, journal, onHosts)
                ? caller
                : caller.notWriting(principals.writers().text(journal));
    }

    /** A node joins only as itself: its host proves that by the same principal that it shows to all callers. */
    private Caller node(String principal, Optional<NodeAddress> own) {
        return own.filter(node -> onHosts.apply(principals.nodes(), node.host()).equals(Optional.of(principal)))
                .map(node -> caller(principal, EnumSet.of(AccessRight.READ, AccessRight.JOIN))
                        .joiningOnly(node))
                .orElseGet(() -> caller(principal, EnumSet.of(AccessRight.READ)));
    }

    private static Caller caller(String principal, EnumSet<AccessRight> rights) {
        return Caller.of(principal + " (auth:KERBEROS)", rights);
    }

    private String unknownPrincipalText(String principal) {
        return principal + " may not use the journals of this cluster: it is no NameNode (" + principals.nameNodes()
                + "), no pool node (" + principals.nodes() + ") and no user of " + Administrators.settings();
    }
}
