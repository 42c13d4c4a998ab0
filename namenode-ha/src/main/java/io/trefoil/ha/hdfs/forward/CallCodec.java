/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.journal.model.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Encodes calls and their answers as bytes; see {@code docs/design/forwarding.md}. Allocates memory only for bytes that
 * are present, never for an announced length.
 */
final class CallCodec {
    /** The version of this format. NameNodes of another version refuse what they do not know, and nothing is executed. */
    private static final int VERSION = 1;

    /** Each kind at the index that is its code. */
    private static final List<SerializedResponse.Kind> KINDS = Collections.unmodifiableList(Arrays.asList(
            SerializedResponse.Kind.RETURNED,
            SerializedResponse.Kind.THREW,
            SerializedResponse.Kind.BROKE_OFF,
            SerializedResponse.Kind.NOT_EXECUTED,
            SerializedResponse.Kind.NOT_ACTIVE));

    private CallCodec() {}

    static Bytes of(SerializedCall call) {
        return written(out -> {
            text(out, call.method());
            bytes(out, call.request());
            bytes(out, call.clientId());
            out.writeInt(call.callId());
            out.writeInt(call.retryCount());
            out.writeBoolean(call.context().isPresent());
            if (call.context().isPresent()) {
                text(out, call.context().get().text());
                bytes(out, call.context().get().signature());
            }
            user(out, call.user());
            bytes(out, call.address());
            out.writeInt(call.port());
        });
    }

    static Bytes of(SerializedResponse answer) {
        return written(out -> {
            out.writeByte(KINDS.indexOf(answer.kind()));
            out.writeLong(answer.lastTxId());
            text(out, answer.error());
            text(out, answer.text());
            bytes(out, answer.message());
        });
    }

    /** @throws IOException if the bytes are not a call of this format */
    static SerializedCall call(Bytes bytes) throws IOException {
        try (DataInputStream in = read(bytes)) {
            SerializedCall call = SerializedCall.builder()
                    .method(text(in))
                    .request(bytes(in))
                    .clientId(bytes(in))
                    .callId(in.readInt())
                    .retryCount(in.readInt())
                    .context(context(in))
                    .user(caller(in))
                    .address(bytes(in))
                    .port(in.readInt())
                    .build();
            return ended(in, call);
        }
    }

    /** @throws IOException if the bytes are not an answer of this format */
    static SerializedResponse answer(Bytes bytes) throws IOException {
        try (DataInputStream in = read(bytes)) {
            int kind = in.readUnsignedByte();
            if (kind >= KINDS.size()) {
                throw new IOException("There is no kind " + kind + " of answers");
            }
            return ended(in, answer(KINDS.get(kind), in));
        }
    }

    private static SerializedResponse answer(SerializedResponse.Kind kind, DataInputStream in) throws IOException {
        long lastTxId = in.readLong();
        String error = text(in);
        String text = text(in);
        Bytes message = bytes(in);
        switch (kind) {
            case RETURNED:
                return SerializedResponse.returned(lastTxId, message);
            case THREW:
                return SerializedResponse.failed(lastTxId, error, text);
            case BROKE_OFF:
                return SerializedResponse.aborted(text);
            case NOT_EXECUTED:
                return SerializedResponse.notExecuted(text);
            case NOT_ACTIVE:
                return SerializedResponse.notActive(text);
        }
        throw new AssertionError(kind);
    }

    private static Optional<SerializedCall.Context> context(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return Optional.empty();
        }
        String text = text(in);
        return Optional.of(SerializedCall.Context.of(text, bytes(in)));
    }

    private static void user(DataOutputStream out, SerializedUser user) throws IOException {
        text(out, user.name());
        text(out, user.authentication());
        out.writeBoolean(user.realUser().isPresent());
        if (user.realUser().isPresent()) {
            text(out, user.realUser().get().name());
            text(out, user.realUser().get().authentication());
        }
    }

    private static SerializedUser caller(DataInputStream in) throws IOException {
        String name = text(in);
        String authentication = text(in);
        Optional<SerializedUser> real = in.readBoolean()
                ? Optional.of(SerializedUser.of(text(in), text(in), Optional.<SerializedUser>empty()))
                : Optional.<SerializedUser>empty();
        return SerializedUser.of(name, authentication, real);
    }

    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private static Bytes written(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            body.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("Bytes in memory", e);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    private static DataInputStream read(Bytes bytes) throws IOException {
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(bytes.sharedArray(), bytes.sharedOffset(), bytes.size()));
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("It has format " + version + ", this version knows " + VERSION
                    + ": the NameNodes have different versions of Trefoil");
        }
        return in;
    }

    private static <T> T ended(DataInputStream in, T value) throws IOException {
        if (in.available() > 0) {
            throw new IOException(in.available() + " bytes are left after its end");
        }
        return value;
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        bytes(out, Bytes.ofUtf8(text));
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(array(in), StandardCharsets.UTF_8);
    }

    private static void bytes(DataOutputStream out, Bytes bytes) throws IOException {
        out.writeInt(bytes.size());
        out.write(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }

    private static Bytes bytes(DataInputStream in) throws IOException {
        return Bytes.wrap(array(in));
    }

    private static byte[] array(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException(length + " bytes are announced, " + in.available() + " are there");
        }
        byte[] array = new byte[length];
        in.readFully(array);
        return array;
    }
}
