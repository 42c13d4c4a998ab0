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
final class Document {

    private static final String VERSION = " 1";
    private static final String CHECKSUM = "crc32c=";
    /** A limit above the length of any document that is written: an hour has less than five thousand marks. */
    private static final int MAX_BYTES = 64 << 20;

    private final String title;
    private final List<String> lines = new ArrayList<>();

    Document(String title) {
        this.title = title;
    }

    Document with(String name, Object value) {
        lines.add(name + "=" + value);
        return this;
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(title).append(VERSION).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
        byte[] checked = text.toString().getBytes(StandardCharsets.UTF_8);
        text.append(CHECKSUM)
                .append(String.format("%08x", Crc32c.of(checked, 0, checked.length)))
                .append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the text at the beginning of an object, and nothing of what follows.
     *
     * @throws IOException if it is not such a text, is damaged, or of another version
     */
    static Document read(String title, InputStream in) throws IOException {
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
        if (!found.get(0).equals(title + VERSION)) {
            throw new IOException("wanted '" + title + VERSION + "', found '" + found.get(0)
                    + "'; another version of Trefoil wrote it, or it is something else");
        }
        Document document = new Document(title);
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
    List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(name + "=")) {
                values.add(line.substring(name.length() + 1));
            }
        }
        return values;
    }

    /** @throws IOException if there is not exactly one */
    String one(String name) throws IOException {
        List<String> values = all(name);
        if (values.size() != 1) {
            throw new DamagedObjectException("wanted one line " + name + "=, found " + values.size());
        }
        return values.get(0);
    }
}
