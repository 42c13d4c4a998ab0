/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.transport.authentication.Protection;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;

/** The protection of a connection that SASL negotiated. */
final class SaslProtection implements Protection {

    private static final String ONLY_AUTHENTICATION = "auth";

    /** Wraps or unwraps, on one side of the mechanism. */
    private interface Transform {
        byte[] apply(byte[] bytes, int offset, int length) throws SaslException;
    }

    private final int maxPlainBytes;
    private final Transform wrap;
    private final Transform unwrap;

    private SaslProtection(Object rawSendSize, Transform wrap, Transform unwrap) throws SaslException {
        this.maxPlainBytes = Math.min(MAX_PIECE, Integer.parseInt(String.valueOf(rawSendSize)));
        this.wrap = wrap;
        this.unwrap = unwrap;
        if (maxPlainBytes < MIN_PIECE) {
            throw new SaslException("The other side only takes pieces of " + maxPlainBytes + " bytes");
        }
    }

    /** Adds to the properties the size of pieces that this side has room for, and that both sides authenticate. */
    static Map<String, String> complete(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put(Sasl.MAX_BUFFER, String.valueOf(MAX_PIECE));
        all.put(Sasl.SERVER_AUTH, "true");
        return all;
    }

    /** Empty if the two only authenticated each other. */
    static Optional<Protection> of(SaslClient client) throws SaslException {
        return isMore(client.getNegotiatedProperty(Sasl.QOP))
                ? Optional.of(new SaslProtection(
                        client.getNegotiatedProperty(Sasl.RAW_SEND_SIZE), client::wrap, client::unwrap))
                : Optional.<Protection>empty();
    }

    /** Empty if the two only authenticated each other. */
    static Optional<Protection> of(SaslServer server) throws SaslException {
        return isMore(server.getNegotiatedProperty(Sasl.QOP))
                ? Optional.of(new SaslProtection(
                        server.getNegotiatedProperty(Sasl.RAW_SEND_SIZE), server::wrap, server::unwrap))
                : Optional.<Protection>empty();
    }

    private static boolean isMore(Object negotiated) {
        return !ONLY_AUTHENTICATION.equals(negotiated);
    }

    @Override
    public int maxPlainBytes() {
        return maxPlainBytes;
    }

    @Override
    public byte[] wrap(byte[] plain) throws IOException {
        return wrap.apply(plain, 0, plain.length);
    }

    @Override
    public byte[] unwrap(byte[] wrapped) throws IOException {
        return unwrap.apply(wrapped, 0, wrapped.length);
    }
}
