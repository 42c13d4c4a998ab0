/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Failures of TLS say what to mend, and strangers cannot write into the log what they like. */
class TlsFailureExplainerTest {

    @Test
    void limitsLoggedTextOfUnknownCallers() {
        assertThat(TlsFailureExplainer.describe(
                        new NotSslRecordException("not an SSL/TLS record: " + "16".repeat(100_000))))
                .hasSizeLessThan(100);
        assertThat(TlsFailureExplainer.describe(new SSLException("x".repeat(100_000))))
                .hasSizeLessThan(500);
        assertThat(TlsFailureExplainer.describe(new SSLException("y", new IOException("x".repeat(100_000)))))
                .hasSizeLessThan(500);
    }

    @Test
    void namesCauseOfDistrust() {
        SSLHandshakeException distrust = new SSLHandshakeException("PKIX path validation failed");
        distrust.initCause(new CertificateExpiredException("NotAfter: yesterday"));

        assertThat(TlsFailureExplainer.describe(distrust))
                .contains("PKIX path validation failed", "yesterday", "truststore");
        assertThat(TlsFailureExplainer.describe(new SSLException("Received fatal alert: bad_certificate")))
                .contains("bad_certificate", "the certificate of this host");
    }

    @Test
    void distinguishesTlsFailuresFromOthers() {
        SSLException failure = new NotSslRecordException("x");

        assertThat(TlsFailureExplainer.find(new DecoderException(failure))).contains(failure);
        assertThat(TlsFailureExplainer.isPlainText(new DecoderException(failure)))
                .isTrue();
        assertThat(TlsFailureExplainer.isPlainText(new SSLException("x"))).isFalse();
        assertThat(TlsFailureExplainer.find(new DecoderException("x"))).isEmpty();
        assertThat(TlsFailureExplainer.find(new IOException("x"))).isEmpty();
    }
}
