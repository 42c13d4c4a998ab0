/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;

/** The current certificate with its key, and the certificates trusted at present. Thread-safe. */
public final class Keys implements AutoCloseable {

    private static final String[] KEY_TYPES = {"RSA", "EC", "DSA", "RSASSA-PSS", "EdDSA"};

    private final List<KeyManager> keyManagers;
    private final List<TrustManager> trusted;
    private final Runnable onClose;

    /**
     * @param keyManagers may present another certificate at any time
     * @param trusted may trust others at any time
     * @param onClose stops watching for such changes
     */
    public Keys(List<KeyManager> keyManagers, List<TrustManager> trusted, Runnable onClose) {
        if (keyManagers.isEmpty() || trusted.isEmpty()) {
            // With none, the JDK would use its own: all public certificate authorities.
            throw new IllegalArgumentException("A certificate and trusted certificates are needed, got "
                    + keyManagers.size() + " key managers and " + trusted.size() + " trust managers");
        }
        this.keyManagers = Collections.unmodifiableList(new ArrayList<>(keyManagers));
        this.trusted = Collections.unmodifiableList(new ArrayList<>(trusted));
        this.onClose = onClose;
    }

    /** Creates keys that never change. */
    public static Keys ofFixed(KeyManager[] keyManagers, TrustManager[] trusted) {
        return new Keys(Arrays.asList(keyManagers), Arrays.asList(trusted), () -> {});
    }

    /** The time at which the first of the certificates presented to others becomes invalid; empty if none can be listed. */
    Optional<Instant> certificateExpiry() {
        Optional<Instant> end = Optional.empty();
        for (KeyManager manager : keyManagers) {
            if (manager instanceof X509KeyManager) {
                for (X509Certificate certificate : presentedCertificates((X509KeyManager) manager)) {
                    Instant expiry = certificate.getNotAfter().toInstant();
                    end = Optional.of(end.filter(expiry::isAfter).orElse(expiry));
                }
            }
        }
        return end;
    }

    /** The certificates that this host presents, with those that issued them. */
    private static List<X509Certificate> presentedCertificates(X509KeyManager manager) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (String type : KEY_TYPES) {
            String[] aliases = manager.getServerAliases(type, null);
            for (String alias : aliases == null ? new String[0] : aliases) {
                certificates.addAll(Arrays.asList(manager.getCertificateChain(alias)));
            }
        }
        return certificates;
    }

    KeyManager[] keyManagers() {
        return keyManagers.toArray(new KeyManager[0]);
    }

    TrustManager[] trustManagers() {
        return trusted.toArray(new TrustManager[0]);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
