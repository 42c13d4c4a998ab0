/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * The authentication of TLS connections: the certificates are the only proof, and {@code hadoop-policy.xml} must admit
 * the hosts that they name. A caller without a certificate, which only {@code optional} allows, is in no list.
 */
public final class CertificateAuthentication implements Authentication {

    private final Configuration conf;
    private final LongSupplier nanoTime;

    CertificateAuthentication(Configuration conf, LongSupplier nanoTime) {
        this.conf = conf;
        this.nanoTime = nanoTime;
    }

    public static CertificateAuthentication of(Configuration conf) {
        return new CertificateAuthentication(conf, System::nanoTime);
    }

    @Override
    public String mechanism() {
        return NONE.mechanism();
    }

    @Override
    public AuthenticationExchange beginAsCaller(InetAddress node) throws IOException {
        return NONE.beginAsCaller(node);
    }

    @Override
    public AuthenticationExchange beginAsNode(InetAddress caller) throws IOException {
        return NONE.beginAsNode(caller);
    }

    @Override
    public AccessController wrapAccessController(AccessController byCertificate) {
        ServiceAcl list = PolicyFile.ofHosts(conf, nanoTime);
        return list.admitsEveryone() ? byCertificate : new ListedHostsController(byCertificate, list);
    }

    /** Admits a caller if both another access controller and the list do. */
    private static final class ListedHostsController implements AccessController {
        private final AccessController controller;
        private final ServiceAcl list;
        private final CallerLookupExecutor callerLookups = new CallerLookupExecutor();

        ListedHostsController(AccessController controller, ServiceAcl list) {
            this.controller = controller;
            this.list = list;
        }

        @Override
        public boolean expectsCallsFrom(InetAddress address) {
            return controller.expectsCallsFrom(address);
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            Optional<Identity> certificate = credentials.identity(Identity.Kind.CERTIFICATE);
            return certificate.isPresent()
                    ? controller
                            .admit(hello, credentials)
                            .thenCompose(caller -> requireListed(caller, certificate.get(), credentials.address()))
                    : controller.admit(hello, credentials);
        }

        @Override
        public Object rightsVersion() {
            return controller.rightsVersion();
        }

        @Override
        public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
            return controller.recheck(hello, credentials, admitted);
        }

        private CompletionStage<Caller> requireListed(Caller caller, Identity certificate, InetAddress address) {
            String name = certificate.name() + ", for " + certificate.hosts() + ",";
            return callerLookups
                    .submit(() -> list.refusalReason(name, certificate.hosts(), address))
                    .thenCompose(refusal -> refusal.isPresent()
                            ? CallerLookupExecutor.failedRefusal(
                                    SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                            : CompletableFuture.completedFuture(caller));
        }
    }
}
