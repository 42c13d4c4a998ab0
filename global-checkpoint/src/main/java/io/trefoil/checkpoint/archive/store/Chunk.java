/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchivedBarrier;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.checkpoint.archive.VoidPoint;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.model.Entry;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.Checksum;

/**
 * An object with entries of the log: a {@link ObjectHeader} with the index, then the entries, each as its size, its checksum, and
 * the one form that it has on every disk. Immutable.
 */
public final class Chunk {

    private static final String TITLE = "trefoil-archive-chunk";

    /** The version in which marks may say from when on their entries were committed. */
    private static final int VERSION_WITH_SINCE = 2;

    /** The version in which there may be barriers. */
    private static final int VERSION = 3;

    private static final int SIZE_AND_CHECKSUM = 8;
    private static final int MAX_ENTRY_BYTES = EntryCodec.HEADER_SIZE + EntryCodec.MAX_PAYLOAD_SIZE;

    private final ChunkHead head;
    private final List<Entry> entries;

    Chunk(ChunkHead head, List<Entry> entries) {
        this.head = head;
        this.entries = Collections.unmodifiableList(new ArrayList<>(entries));
    }

    public ChunkHead head() {
        return head;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** The entries of this chunk and the next. */
    Chunk mergeWith(Chunk next) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(next.entries);
        return new Chunk(head.mergeWith(next.head), all);
    }

    /** The size of the entries in an object. */
    long bytes() {
        long bytes = 0;
        for (Entry entry : entries) {
            bytes += SIZE_AND_CHECKSUM + EntryCodec.size(entry);
        }
        return bytes;
    }

    void writeTo(OutputStream out) throws IOException {
        Checksum checksum = Crc32c.create();
        writeEntries(new OutputStream() {
            @Override
            public void write(int one) {
                checksum.update(one);
            }

            @Override
            public void write(byte[] some, int offset, int length) {
                checksum.update(some, offset, length);
            }
        });
        ObjectHeader text = new ObjectHeader(TITLE, version())
                .append("before", head.before())
                .append("after", head.after());
        head.voids().forEach(point -> text.append("void", point));
        head.barriers().forEach(barrier -> text.append("barrier", barrier));
        head.marks().forEach(mark -> text.append("mark", mark));
        text.append("body", bytes() + " " + String.format("%08x", (int) checksum.getValue()));
        out.write(text.bytes());
        writeEntries(out);
    }

    /** The version of the format, the lowest possible: an older release reads every chunk that it could have written. */
    private int version() {
        if (!head.barriers().isEmpty()) {
            return VERSION;
        }
        return head.marks().stream().anyMatch(mark -> mark.sinceMillis().isPresent()) ? VERSION_WITH_SINCE : 1;
    }

    private void writeEntries(OutputStream out) throws IOException {
        for (Entry entry : entries) {
            ByteBuffer form = ByteBuffer.allocate(SIZE_AND_CHECKSUM + EntryCodec.HEADER_SIZE);
            form.putInt(EntryCodec.size(entry))
                    .putInt(EntryCodec.checksum(entry))
                    .put(EntryCodec.header(entry));
            out.write(form.array());
            out.write(
                    entry.payload().sharedArray(),
                    entry.payload().sharedOffset(),
                    entry.payload().size());
        }
    }

    /**
     * Reads only the index.
     *
     * @throws IOException if it is damaged
     */
    static ChunkHead readHead(InputStream in) throws IOException {
        return head(ObjectHeader.read(TITLE, VERSION, in));
    }

    /**
     * Reads everything.
     *
     * @throws IOException if anything is damaged or missing
     */
    static Chunk read(InputStream in) throws IOException {
        ObjectHeader text = ObjectHeader.read(TITLE, VERSION, in);
        ChunkHead head = head(text);
        String[] body = text.value("body").split(" ", -1);
        Checksum checksum = Crc32c.create();
        DataInputStream data = new DataInputStream(in);
        List<Entry> entries = new ArrayList<>();
        long left = Long.parseLong(body[0]);
        LogBoundary at = head.before();
        try {
            while (left > 0) {
                byte[] form = new byte[SIZE_AND_CHECKSUM];
                data.readFully(form);
                checksum.update(form, 0, form.length);
                int size = ByteBuffer.wrap(form).getInt();
                if (size < EntryCodec.HEADER_SIZE || size > MAX_ENTRY_BYTES || size > left) {
                    throw new DamagedObjectException(
                            "it is damaged: an entry of " + size + " bytes behind entry " + at.sn());
                }
                byte[] entry = new byte[size];
                data.readFully(entry);
                checksum.update(entry, 0, size);
                entries.add(EntryCodec.decode(
                        ByteBuffer.wrap(entry), ByteBuffer.wrap(form).getInt(4), ByteBuffer::allocate));
                at = at.next(entries.get(entries.size() - 1));
                left -= SIZE_AND_CHECKSUM + size;
            }
        } catch (EOFException e) {
            throw new DamagedObjectException(
                    "it ends behind entry " + at.sn() + ", wanted it up to "
                            + head.after().sn(),
                    e);
        } catch (MalformedBytesException | IllegalArgumentException e) {
            throw new DamagedObjectException("it is damaged behind entry " + at.sn() + ": " + e.getMessage(), e);
        }
        String found = String.format("%08x", (int) checksum.getValue());
        if (!at.equals(head.after()) || !found.equals(body[1])) {
            throw new DamagedObjectException("it is damaged: wanted entries up to " + head.after() + " with checksum "
                    + body[1] + ", found them up to " + at + " with " + found);
        }
        return new Chunk(head, entries);
    }

    private static ChunkHead head(ObjectHeader text) throws IOException {
        try {
            List<VoidPoint> voids = new ArrayList<>();
            text.values("void").forEach(line -> voids.add(VoidPoint.parse(line)));
            List<ArchivedBarrier> barriers = new ArrayList<>();
            text.values("barrier").forEach(line -> barriers.add(ArchivedBarrier.parse(line)));
            List<CommitMark> marks = new ArrayList<>();
            text.values("mark").forEach(line -> marks.add(CommitMark.parse(line)));
            return ChunkHead.of(
                    LogBoundary.parse(text.value("before")),
                    LogBoundary.parse(text.value("after")),
                    voids,
                    barriers,
                    marks);
        } catch (IllegalArgumentException e) {
            throw new DamagedObjectException("its text is wrong: " + e.getMessage(), e);
        }
    }
}
