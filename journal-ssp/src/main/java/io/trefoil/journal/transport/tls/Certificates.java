/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import io.netty.handler.ssl.SslHandler;
import io.trefoil.journal.transport.access.Identity;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Identifies the other end of a connection by its certificate. Only the certificate's alternative names, of hosts and
 * addresses, count: a common name is for people, and with a wildcard any holder could pass for every host.
 */
public final class Certificates {

    /** The type of a DNS name, as in RFC 5280, 4.2.1.6. */
    private static final int DNS_NAME = 2;

    private static final int IP_ADDRESS = 7;

    private Certificates() {}

    /**
     * Identifies the other end of a connection after the TLS handshake.
     *
     * @throws SSLPeerUnverifiedException if it has shown no readable certificate
     */
    public static Identity ofPeer(SslHandler handler) throws SSLPeerUnverifiedException {
        Certificate[] chain = handler.engine().getSession().getPeerCertificates();
        if (chain.length == 0 || !(chain[0] instanceof X509Certificate)) {
            throw new SSLPeerUnverifiedException("The other side has shown no X.509 certificate");
        }
        return of((X509Certificate) chain[0]);
    }

    private static Identity of(X509Certificate certificate) throws SSLPeerUnverifiedException {
        String subject = certificate.getSubjectX500Principal().getName();
        try {
            return Identity.of(Identity.Kind.CERTIFICATE, subject, hosts(certificate.getSubjectAlternativeNames()));
        } catch (CertificateParsingException e) {
            throw new SSLPeerUnverifiedException(
                    "The alternative names of the certificate " + subject + " cannot be read: " + e.getMessage());
        }
    }

    private static Set<String> hosts(Collection<List<?>> alternativeNames) {
        Set<String> hosts = new TreeSet<>();
        if (alternativeNames == null) {
            return hosts;
        }
        for (List<?> name : alternativeNames) {
            int kind = (Integer) name.get(0);
            if ((kind == DNS_NAME || kind == IP_ADDRESS)
                    && !String.valueOf(name.get(1)).contains("*")) {
                hosts.add(String.valueOf(name.get(1)));
            }
        }
        return hosts;
    }
}
