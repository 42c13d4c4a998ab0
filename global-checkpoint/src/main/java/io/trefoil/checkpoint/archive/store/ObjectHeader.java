/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.journal.codec.Crc32c;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The text at the beginning of every object: a title with the version of the format, lines {@code name=value}, and the
 * checksum of all that. Not thread-safe.
 */
final class ObjectHeader {

    private static final String CHECKSUM = "crc32c=";
    /** A limit above the length of any document that is written: an hour has less than five thousand marks. */
    private static final int MAX_BYTES = 64 << 20;

    private final String title;
    private final int version;
    private final List<String> lines = new ArrayList<>();

    /** @param version the lowest in which what it says can be said */
    ObjectHeader(String title, int version) {
        this.title = title;
        this.version = version;
    }

    ObjectHeader append(String name, Object value) {
        lines.add(name + "=" + value);
        return this;
    }

    byte[] bytes() {
        StringBuilder text =
                new StringBuilder(title).append(' ').append(version).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
        byte[] checked = text.toString().getBytes(StandardCharsets.UTF_8);
        text.append(CHECKSUM)
                .append(String.format("%08x", Crc32c.of(checked, 0, checked.length)))
                .append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the text at the beginning of an object, and no byte behind it.
     *
     * @param newest the newest version that the caller reads; it reads all before
     * @throws IOException if it is not such a text, is damaged, or of a later version
     */
    static ObjectHeader read(String title, int newest, InputStream in) throws IOException {
        ByteArrayOutputStream checked = new ByteArrayOutputStream();
        List<String> found = new ArrayList<>();
        String line = line(in, checked.size());
        while (!line.startsWith(CHECKSUM)) {
            found.add(line);
            checked.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            line = line(in, checked.size());
        }
        byte[] bytes = checked.toByteArray();
        String wanted = String.format("%08x", Crc32c.of(bytes, 0, bytes.length));
        if (found.isEmpty() || !line.equals(CHECKSUM + wanted)) {
            throw new DamagedObjectException("it is damaged: wanted " + CHECKSUM + wanted + ", found " + line);
        }
        // What is whole is not damaged, but of another version.
        int version = 1;
        while (!found.get(0).equals(title + " " + version)) {
            if (version == newest) {
                throw new IOException("wanted '" + title + " " + newest + "', found '" + found.get(0)
                        + "'; another version of Trefoil wrote it, or it is something else");
            }
            version++;
        }
        ObjectHeader document = new ObjectHeader(title, version);
        document.lines.addAll(found.subList(1, found.size()));
        return document;
    }

    private static String line(InputStream in, int before) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new DamagedObjectException(
                        "it ends after " + (before + line.size()) + " bytes, in the middle of its text");
            }
            if (before + line.size() > MAX_BYTES) {
                throw new DamagedObjectException("it has no end of its text in " + MAX_BYTES + " bytes");
            }
            line.write(next);
        }
        return new String(line.toByteArray(), StandardCharsets.UTF_8);
    }

    /** The values of a name, in their order. */
    List<String> values(String name) {
        List<String> values = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(name + "=")) {
                values.add(line.substring(name.length() + 1));
            }
        }
        return values;
    }

    /** @throws IOException if there is not exactly one */
    String value(String name) throws IOException {
        List<String> values = values(name);
        if (values.size() != 1) {
            throw new DamagedObjectException("wanted one line " + name + "=, found " + values.size());
        }
        return values.get(0);
    }
}
