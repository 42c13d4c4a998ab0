/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.transport.authentication.Protection;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;

/** The protection of a connection that SASL negotiated. */
final class SaslProtection implements Protection {

    private static final String ONLY_AUTHENTICATION = "auth";

    private static final List<String> BEST_FIRST =
            Collections.unmodifiableList(Arrays.asList("auth-conf", "auth-int", ONLY_AUTHENTICATION));

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

    /** Adds two properties: the maximum message size that this side can receive, and that both sides authenticate. */
    static Map<String, String> addDefaults(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put(Sasl.MAX_BUFFER, String.valueOf(MAX_PIECE));
        all.put(Sasl.SERVER_AUTH, "true");
        return all;
    }

    /** The properties with the qualities of protection in another order: GSSAPI agrees on the first of the caller that the node has. */
    static Map<String, String> sortStrongestFirst(Map<String, String> properties) {
        Map<String, String> ordered = new HashMap<>(properties);
        ordered.computeIfPresent(Sasl.QOP, (qop, wanted) -> {
            Set<String> all = new HashSet<>(Arrays.asList(wanted.trim().split("\\s*,\\s*")));
            return BEST_FIRST.stream().filter(all::contains).collect(Collectors.joining(","));
        });
        return ordered;
    }

    /** The protection that was negotiated; empty if the two only authenticated each other. */
    static Optional<Protection> of(SaslClient client) throws SaslException {
        return isProtected(client.getNegotiatedProperty(Sasl.QOP))
                ? Optional.of(new SaslProtection(
                        client.getNegotiatedProperty(Sasl.RAW_SEND_SIZE), client::wrap, client::unwrap))
                : Optional.<Protection>empty();
    }

    /** The protection that was negotiated; empty if the two only authenticated each other. */
    static Optional<Protection> of(SaslServer server) throws SaslException {
        return isProtected(server.getNegotiatedProperty(Sasl.QOP))
                ? Optional.of(new SaslProtection(
                        server.getNegotiatedProperty(Sasl.RAW_SEND_SIZE), server::wrap, server::unwrap))
                : Optional.<Protection>empty();
    }

    private static boolean isProtected(Object negotiated) {
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
    public byte[] unwrap(byte[] wrappedBytes) throws IOException {
        return unwrap.apply(wrappedBytes, 0, wrappedBytes.length);
    }
}
