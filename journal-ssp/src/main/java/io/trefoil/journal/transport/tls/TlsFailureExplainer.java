/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.tls;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Explains failures of TLS to the operators who have to fix them. */
public final class TlsFailureExplainer {

    private static final String ALERT = "Received fatal alert";
    /** The maximum length of messages, which may contain whatever the other side chose to send. */
    private static final int MAX_CHARS = 300;

    private TlsFailureExplainer() {}

    /** The TLS failure among the causes of a failure, if there is one. */
    public static Optional<SSLException> find(Throwable failure) {
        Throwable inner =
                failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        return inner instanceof SSLException ? Optional.of((SSLException) inner) : Optional.<SSLException>empty();
    }

    /** Whether the other side answered without TLS. */
    public static boolean isPlainText(Throwable failure) {
        return find(failure).filter(NotSslRecordException.class::isInstance).isPresent();
    }

    /** The cause of the failure, and where to look for it. */
    public static String describe(SSLException failure) {
        if (failure instanceof NotSslRecordException) {
            return "TLS handshake failed: the other side does not speak TLS";
        }
        String message = shorten(failure);
        StringBuilder text = new StringBuilder("TLS handshake failed: ").append(message);
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (!message.contains(shorten(root))) {
            text.append(" (").append(shorten(root)).append(')');
        }
        if (root instanceof CertificateException || isTrustFailure(failure)) {
            text.append("; wanted a certificate that is valid now and signed by one in the truststore of this host");
        } else if (String.valueOf(failure.getMessage()).contains(ALERT)) {
            text.append("; the other side rejected the certificate of this host, or wants one: its log says why");
        }
        return text.toString();
    }

    private static String shorten(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.length() <= MAX_CHARS ? message : message.substring(0, MAX_CHARS) + "...";
    }

    private static boolean isTrustFailure(SSLException failure) {
        return failure instanceof SSLHandshakeException
                && (String.valueOf(failure.getMessage()).startsWith("PKIX")
                        || failure.getCause() instanceof CertificateException);
    }
}
