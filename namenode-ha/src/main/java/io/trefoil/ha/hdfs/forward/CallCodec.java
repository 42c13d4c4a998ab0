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

    static Bytes encode(SerializedCall call) {
        return toBytes(out -> {
            writeText(out, call.method());
            writeBytes(out, call.request());
            writeBytes(out, call.clientId());
            out.writeInt(call.callId());
            out.writeInt(call.retryCount());
            out.writeBoolean(call.context().isPresent());
            if (call.context().isPresent()) {
                writeText(out, call.context().get().text());
                writeBytes(out, call.context().get().signature());
            }
            writeUser(out, call.user());
            writeBytes(out, call.address());
            out.writeInt(call.port());
        });
    }

    static Bytes encode(SerializedResponse answer) {
        return toBytes(out -> {
            out.writeByte(KINDS.indexOf(answer.kind()));
            out.writeLong(answer.lastTxId());
            writeText(out, answer.error());
            writeText(out, answer.text());
            writeBytes(out, answer.message());
        });
    }

    /** @throws IOException if the bytes are not a call of this format */
    static SerializedCall decodeCall(Bytes bytes) throws IOException {
        try (DataInputStream in = read(bytes)) {
            SerializedCall call = SerializedCall.builder()
                    .method(readText(in))
                    .request(readBytes(in))
                    .clientId(readBytes(in))
                    .callId(in.readInt())
                    .retryCount(in.readInt())
                    .context(readContext(in))
                    .user(readUser(in))
                    .address(readBytes(in))
                    .port(in.readInt())
                    .build();
            return requireEnd(in, call);
        }
    }

    /** @throws IOException if the bytes are not an answer of this format */
    static SerializedResponse decodeAnswer(Bytes bytes) throws IOException {
        try (DataInputStream in = read(bytes)) {
            int kind = in.readUnsignedByte();
            if (kind >= KINDS.size()) {
                throw new IOException("There is no kind " + kind + " of answers");
            }
            return requireEnd(in, readAnswer(KINDS.get(kind), in));
        }
    }

    private static SerializedResponse readAnswer(SerializedResponse.Kind kind, DataInputStream in) throws IOException {
        long lastTxId = in.readLong();
        String error = readText(in);
        String text = readText(in);
        Bytes message = readBytes(in);
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

    private static Optional<SerializedCall.Context> readContext(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return Optional.empty();
        }
        String text = readText(in);
        return Optional.of(SerializedCall.Context.of(text, readBytes(in)));
    }

    private static void writeUser(DataOutputStream out, SerializedUser user) throws IOException {
        writeText(out, user.name());
        writeText(out, user.authentication());
        out.writeBoolean(user.realUser().isPresent());
        if (user.realUser().isPresent()) {
            writeText(out, user.realUser().get().name());
            writeText(out, user.realUser().get().authentication());
        }
    }

    private static SerializedUser readUser(DataInputStream in) throws IOException {
        String name = readText(in);
        String authentication = readText(in);
        Optional<SerializedUser> real = in.readBoolean()
                ? Optional.of(SerializedUser.of(readText(in), readText(in), Optional.<SerializedUser>empty()))
                : Optional.<SerializedUser>empty();
        return SerializedUser.of(name, authentication, real);
    }

    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private static Bytes toBytes(Body body) {
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

    private static <T> T requireEnd(DataInputStream in, T value) throws IOException {
        if (in.available() > 0) {
            throw new IOException(in.available() + " bytes are left after its end");
        }
        return value;
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        writeBytes(out, Bytes.ofUtf8(text));
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readArray(in), StandardCharsets.UTF_8);
    }

    private static void writeBytes(DataOutputStream out, Bytes bytes) throws IOException {
        out.writeInt(bytes.size());
        out.write(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }

    private static Bytes readBytes(DataInputStream in) throws IOException {
        return Bytes.wrap(readArray(in));
    }

    private static byte[] readArray(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException(length + " bytes are announced, " + in.available() + " are there");
        }
        byte[] array = new byte[length];
        in.readFully(array);
        return array;
    }
}
