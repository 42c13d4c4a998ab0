/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the fields of messages into a buffer; every number is big endian. It rejects whatever {@link WireReader} would
 * reject.
 */
public final class WireWriter {

    /**
     * The length at which explanations are truncated: no operator reads longer ones, and a refusal must fit a small frame.
     */
    public static final int MAX_EXPLANATION_CHARS = 2 * 1024;

    private final ByteBuf out;

    public WireWriter(ByteBuf out) {
        this.out = out;
    }

    public WireWriter flag(boolean value) {
        out.writeByte(value ? 1 : 0);
        return this;
    }

    public WireWriter number8(int value) {
        out.writeByte(value);
        return this;
    }

    public WireWriter number32(int value) {
        out.writeInt(value);
        return this;
    }

    public WireWriter number64(long value) {
        out.writeLong(value);
        return this;
    }

    public WireWriter text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > WireReader.MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("A text of " + utf8.length + " bytes, the wire takes "
                    + WireReader.MAX_TEXT_LENGTH + ": " + value.substring(0, 100) + "...");
        }
        out.writeShort(utf8.length).writeBytes(utf8);
        return this;
    }

    /** A text for human readers, truncated if it is too long. */
    public WireWriter explanation(String value) {
        int end = Math.min(value.length(), MAX_EXPLANATION_CHARS);
        if (end < value.length() && Character.isHighSurrogate(value.charAt(end - 1))) {
            end--;
        }
        return text(value.substring(0, end));
    }

    public WireWriter bytes(Bytes value) {
        out.writeInt(value.size()).writeBytes(value.sharedArray(), value.sharedOffset(), value.size());
        return this;
    }

    public WireWriter node(NodeId value) {
        return text(value.text());
    }

    public WireWriter writer(WriterId value) {
        return text(value.text());
    }

    public WireWriter epoch(Epoch value) {
        return number64(value.number());
    }

    public WireWriter completeness(LogCompleteness value) {
        return number8(value == LogCompleteness.COMPLETE ? WireReader.LOG_COMPLETE : WireReader.LOG_REFETCHING);
    }

    public WireWriter image(ImageId value) {
        return number64(value.txId()).number64(value.length()).raw(ByteBufUtil.decodeHexDump(value.md5()));
    }

    private WireWriter raw(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    public WireWriter position(LogPosition value) {
        return epoch(value.epoch()).number64(value.sn());
    }

    public WireWriter namespace(NamespaceId value) {
        return text(value.clusterId()).number32(value.namespaceId());
    }

    public WireWriter incarnation(Incarnation value) {
        return number64(value.number()).number64(value.random());
    }

    /** A summary, preceded by its size, so that its reader can refuse one that is too large. */
    public WireWriter summary(LogSummary value) {
        return bytes(Bytes.wrap(SummaryCodec.encode(value)));
    }

    /**
     * Entries, each preceded by its checksum. The payload is copied once, from the heap to the memory that the kernel
     * reads: if its array were wrapped into a composite buffer, Netty would copy it here as well, together with
     * everything around it.
     */
    public WireWriter entries(List<Entry> entries) {
        int size = 4;
        for (Entry entry : entries) {
            size = Math.addExact(size, WireReader.CHECKSUM_LENGTH + EntryCodec.size(entry));
        }
        out.ensureWritable(size).writeInt(entries.size());
        for (Entry entry : entries) {
            byte[] header = EntryCodec.header(entry);
            Bytes payload = entry.payload();
            out.writeInt(EntryCodec.checksum(header, payload));
            out.writeBytes(header).writeBytes(payload.sharedArray(), payload.sharedOffset(), payload.size());
        }
        return this;
    }
}
