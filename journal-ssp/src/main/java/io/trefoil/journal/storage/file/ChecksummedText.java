/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import io.trefoil.journal.codec.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A small file of {@code name=value} lines in UTF-8; the last line is the CRC-32C of those before it. It is replaced
 * atomically: after a crash it has the old text or the new one.
 */
public final class ChecksummedText {

    private static final String CHECKSUM = "crc32c=";
    private static final int MAX_SIZE = 64 << 10;

    private final FileLayer files;
    private final Path path;

    public ChecksummedText(FileLayer files, Path path) {
        this.files = files;
        this.path = path;
    }

    /** Writes the file; durable when it returns. */
    public void write(Map<String, String> values) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> value : values.entrySet()) {
            lines.append(value.getKey()).append('=').append(value.getValue()).append('\n');
        }
        String text = lines + CHECKSUM + checksum(lines.toString()) + '\n';
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        try (OpenFile file = files.create(temporary)) {
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
        files.rename(temporary, path);
        files.forceDirectory(path.getParent());
    }

    /**
     * The contents of the file.
     *
     * @param names the values that it must have
     * @throws IOException if it is missing, unreadable or damaged; its contents must not be guessed
     */
    public Map<String, String> read(String... names) throws IOException {
        String text = text();
        int end = text.lastIndexOf(CHECKSUM);
        if (end < 0 || !text.substring(end).equals(CHECKSUM + checksum(text.substring(0, end)) + '\n')) {
            throw new IOException(path + " is damaged: its checksum is wrong");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : text.substring(0, end).split("\n")) {
            int equals = line.indexOf('=');
            if (equals < 0) {
                throw new IOException(path + " is damaged: no name=value in '" + line + "'");
            }
            values.put(line.substring(0, equals), line.substring(equals + 1));
        }
        for (String name : names) {
            if (!values.containsKey(name)) {
                throw new IOException(path + " does not say '" + name + "', only " + values);
            }
        }
        return values;
    }

    private String text() throws IOException {
        if (!files.exists(path)) {
            throw new IOException(path + " is missing");
        }
        try (OpenFile file = files.open(path)) {
            long size = file.size();
            if (size > MAX_SIZE) {
                throw new IOException(path + " is damaged: it has " + size + " bytes");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            file.read(bytes, 0);
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    private static String checksum(String lines) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return String.format("%08x", Crc32c.of(bytes, 0, bytes.length));
    }
}
