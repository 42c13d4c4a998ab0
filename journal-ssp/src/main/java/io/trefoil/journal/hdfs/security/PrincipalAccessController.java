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
 * Admits callers whose principal grants them a right. NameNodes and pool nodes are recognised by the whole principal
 * except the host; users may have to be looked up, on threads of this class.
 */
final class PrincipalAccessController implements AccessController {

    private final AccessController byAddress;
    private final PoolPrincipals principals;
    private final ServiceAcl serviceList;
    private final Predicate<String> administrators;
    private final BiFunction<String, String, Optional<String>> onHosts;
    private final CallerLookupExecutor callerLookups = new CallerLookupExecutor();

    /**
     * @param byAddress knows from which addresses to expect calls; that gives no right
     * @param serviceList must admit every caller too
     * @param administrators whether a principal is one; may block
     * @param resolveHosts the principal that a pattern stands for on a host, empty if it cannot be found; may block
     */
    PrincipalAccessController(
            AccessController byAddress,
            PoolPrincipals principals,
            ServiceAcl serviceList,
            Predicate<String> administrators,
            BiFunction<String, String, Optional<String>> resolveHosts) {
        this.byAddress = byAddress;
        this.principals = principals;
        this.serviceList = serviceList;
        this.administrators = administrators;
        this.onHosts = resolveHosts;
    }

    @Override
    public boolean expectsCallsFrom(InetAddress address) {
        return byAddress.expectsCallsFrom(address);
    }

    @Override
    public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
        Optional<Identity> proven = credentials.identity(Identity.Kind.PRINCIPAL);
        if (!proven.isPresent()) {
            return CallerLookupExecutor.failedRefusal(
                    SessionRefusedException.Reason.AUTHENTICATION, "The caller proved no principal");
        }
        String principal = proven.get().name();
        return serviceList.admitsEveryone()
                ? decide(principal, hello)
                : callerLookups
                        .submit(() -> serviceList.refusalReason(
                                principal, Collections.singleton(principal), credentials.address()))
                        .thenCompose(refusal -> refusal.isPresent()
                                ? CallerLookupExecutor.failedRefusal(
                                        SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                                : decide(principal, hello));
    }

    private CompletableFuture<Caller> decide(String principal, Hello hello) {
        if (principals.isNameNode(principal)) {
            // A NameNode that is recognised at once waits for no look-up.
            return principals.isWriter(principal, hello.journal())
                    ? CompletableFuture.completedFuture(newCaller(principal, EnumSet.allOf(AccessRight.class)))
                    : callerLookups.submit(() -> newNameNodeCaller(principal, hello.journal()));
        }
        if (principals.isNode(principal)) {
            return callerLookups.submit(() -> newNodeCaller(principal, hello.callerNode()));
        }
        return callerLookups
                .submit(() -> administrators.test(principal)
                        ? Optional.of(newCaller(principal, EnumSet.of(AccessRight.READ, AccessRight.ADMINISTER)))
                        : Optional.<Caller>empty())
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found.get())
                        : CallerLookupExecutor.failedRefusal(
                                SessionRefusedException.Reason.FORBIDDEN, unknownPrincipalText(principal)));
    }

    /** A NameNode writes only the journal of its own nameservice; it takes part in the pool of all. */
    private Caller newNameNodeCaller(String principal, JournalId journal) {
        Caller caller = newCaller(principal, EnumSet.allOf(AccessRight.class));
        return principals.isWriter(principal, journal, onHosts)
                ? caller
                : caller.withoutWriting(principals.writers().refusalReason(journal));
    }

    /** A node joins only as itself: its host proves that by the same principal that it shows to all callers. */
    private Caller newNodeCaller(String principal, Optional<NodeAddress> ownNode) {
        return ownNode.filter(node ->
                        onHosts.apply(principals.nodePrincipal(), node.host()).equals(Optional.of(principal)))
                .map(node -> newCaller(principal, EnumSet.of(AccessRight.READ, AccessRight.JOIN))
                        .withJoinOnly(node))
                .orElseGet(() -> newCaller(principal, EnumSet.of(AccessRight.READ)));
    }

    private static Caller newCaller(String principal, EnumSet<AccessRight> rights) {
        return Caller.of(principal + " (auth:KERBEROS)", rights);
    }

    private String unknownPrincipalText(String principal) {
        return principal + " may not use the journals of this cluster: it is no NameNode ("
                + principals.nameNodePrincipals() + "), no pool node (" + principals.nodePrincipal()
                + ") and no user of " + Administrators.settingNames();
    }
}
