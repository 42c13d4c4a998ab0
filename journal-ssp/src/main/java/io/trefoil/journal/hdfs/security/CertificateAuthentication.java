/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.Doorkeeper;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.access.Visitor;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.Dialogue;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * For TLS connections: the certificates are the only proof, and {@code hadoop-policy.xml} must admit the hosts that
 * they name. A caller without a certificate, which only {@code optional} allows, is in no list.
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
    public Dialogue call(InetAddress node) throws IOException {
        return NONE.call(node);
    }

    @Override
    public Dialogue receive(InetAddress caller) throws IOException {
        return NONE.receive(caller);
    }

    @Override
    public Doorkeeper guard(Doorkeeper byCertificate) {
        ServiceList list = PolicyFile.ofHosts(conf, nanoTime);
        return list.isOpen() ? byCertificate : new ListedHosts(byCertificate, list);
    }

    /** Admits a caller if both another doorkeeper and the list do. */
    private static final class ListedHosts implements Doorkeeper {
        private final Doorkeeper others;
        private final ServiceList list;
        private final LookUps lookUps = new LookUps();

        ListedHosts(Doorkeeper others, ServiceList list) {
            this.others = others;
            this.list = list;
        }

        @Override
        public boolean expects(InetAddress address) {
            return others.expects(address);
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, Visitor visitor) {
            Optional<Identity> certificate = visitor.identity(Identity.Kind.CERTIFICATE);
            return certificate.isPresent()
                    ? others.admit(hello, visitor)
                            .thenCompose(caller -> listed(caller, certificate.get(), visitor.address()))
                    : others.admit(hello, visitor);
        }

        @Override
        public Object edition() {
            return others.edition();
        }

        @Override
        public Caller again(Hello hello, Visitor visitor, Caller admitted) {
            return others.again(hello, visitor, admitted);
        }

        private CompletionStage<Caller> listed(Caller caller, Identity certificate, InetAddress address) {
            String name = certificate.name() + ", for " + certificate.hosts() + ",";
            return lookUps.ask(() -> list.refusal(name, certificate.hosts(), address))
                    .thenCompose(refusal -> refusal.isPresent()
                            ? LookUps.refused(SessionRefusedException.Reason.FORBIDDEN, refusal.get())
                            : CompletableFuture.completedFuture(caller));
        }
    }
}
