/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

import io.netty.buffer.ByteBuf;
import io.trefoil.journal.model.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest by which a caller checks that a node received exactly the bytes it sent. */
public final class Sha256 {

    private Sha256() {}

    /** The digest of the readable bytes; does not consume them. */
    public static Bytes of(ByteBuf bytes) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
        digest.update(bytes.nioBuffer());
        return Bytes.wrap(digest.digest());
    }
}
