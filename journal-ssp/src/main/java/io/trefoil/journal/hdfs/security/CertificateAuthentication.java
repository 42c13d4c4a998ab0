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
    public AuthenticationExchange call(InetAddress node) throws IOException {
        return NONE.call(node);
    }

    @Override
    public AuthenticationExchange acceptCaller(InetAddress caller) throws IOException {
        return NONE.acceptCaller(caller);
    }

    @Override
    public AccessController guard(AccessController byCertificate) {
        ServiceAcl list = PolicyFile.ofHosts(conf, nanoTime);
        return list.isOpen() ? byCertificate : new ListedHosts(byCertificate, list);
    }

    /** Admits a caller if both another access controller and the list do. */
    private static final class ListedHosts implements AccessController {
        private final AccessController others;
        private final ServiceAcl list;
        private final CallerLookups callerLookups = new CallerLookups();

        ListedHosts(AccessController others, ServiceAcl list) {
            this.others = others;
            this.list = list;
        }

        @Override
        public boolean expects(InetAddress address) {
            return others.expects(address);
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            Optional<Identity> certificate = credentials.identity(Identity.Kind.CERTIFICATE);
            return certificate.isPresent()
                    ? others.admit(hello, credentials)
                            .thenCompose(caller -> listed(caller, certificate.get(), credentials.address()))
                    : others.admit(hello, credentials);
        }

        @Override
        public Object edition() {
            return others.edition();
        }

        @Override
        public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
            return others.recheck(hello, credentials, admitted);
        }

        private CompletionStage<Caller> listed(Caller caller, Identity certificate, InetAddress address) {
            String name = certificate.name() + ", for " + certificate.hosts() + ",";
            return callerLookups
                    .ask(() -> list.refusal(name, certificate.hosts(), address))
                    .thenCompose(refusal -> refusal.isPresent()
                            ? CallerLookups.refused(SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                            : CompletableFuture.completedFuture(caller));
        }
    }
}
