/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The log file of a server. It grows over all runs of the server and is never truncated, so a position stays valid.
 *
 * @param file where the server writes; need not exist yet
 */
public record ServerLog(Path file) {
    private static final int TAIL_BYTES = 64 * 1024;

    /** The current end of the log; pass it to {@link #textSince} later to get only the text written in between. */
    public long end() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All text written after the given position. */
    public String textSince(long position) {
        if (!Files.exists(file)) {
            return "";
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - position)));
            channel.position(position);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads until the buffer is full or the file ends.
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the text occurs anywhere in the log. */
    public boolean contains(String text) {
        return textSince(0).contains(text);
    }

    /** The last lines, up to the given number. */
    public String tail(int lineCount) {
        List<String> lines = textSince(Math.max(0, end() - TAIL_BYTES)).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - lineCount), lines.size()));
    }
}
