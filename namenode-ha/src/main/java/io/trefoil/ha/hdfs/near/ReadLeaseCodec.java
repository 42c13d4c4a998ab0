/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Encodes the messages about read leases between NameNodes ({@code docs/design/near-reads.md}). They travel like
 * forwarded calls, but begin with a different byte: a receiver that does not know this format grants nothing.
 */
final class ReadLeaseCodec {
    private static final byte FORM = 2;
    private static final byte GRANTED = 1;
    private static final byte REFUSED = 0;

    private ReadLeaseCodec() {}

    static Bytes encodeQuestion(NodeId node) {
        byte[] id = node.text().getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(5 + id.length)
                .put(FORM)
                .putInt(id.length)
                .put(id)
                .array());
    }

    static boolean isQuestion(Bytes bytes) {
        return bytes.size() > 0 && bytes.sharedArray()[bytes.sharedOffset()] == FORM;
    }

    /** @throws IllegalArgumentException if the bytes are not a question of this format */
    static NodeId decodeNode(Bytes query) {
        ByteBuffer in = read(query);
        in.get();
        if (in.remaining() < 4 || in.getInt() != in.remaining()) {
            throw new IllegalArgumentException("Wanted the id of a node, found " + query.size() + " bytes");
        }
        byte[] id = new byte[in.remaining()];
        in.get(id);
        return NodeId.of(new String(id, StandardCharsets.UTF_8));
    }

    static Bytes encodeAnswer(Optional<Epoch> granted) {
        return Bytes.wrap(ByteBuffer.allocate(10)
                .put(FORM)
                .put(granted.isPresent() ? GRANTED : REFUSED)
                .putLong(granted.orElse(Epoch.NONE).number())
                .array());
    }

    /** The epoch in which reads were granted; empty if they were refused, or if the receiver does not support this format. */
    static Optional<Epoch> readEpoch(Bytes answer) {
        ByteBuffer in = read(answer);
        try {
            return in.get() == FORM && in.get() == GRANTED
                    ? Optional.of(Epoch.of(in.getLong()))
                    : Optional.<Epoch>empty();
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static ByteBuffer read(Bytes bytes) {
        return ByteBuffer.wrap(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }
}
