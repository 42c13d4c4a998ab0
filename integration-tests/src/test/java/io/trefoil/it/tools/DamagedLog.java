/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Damages log files of a pool node; {@code docs/design/storage-format.md} describes their format. */
final class DamagedLog {
    private static final int SALT_OFFSET = 32;
    private static final int ENTRY_CHECKSUM_OFFSET = 24;
    private static final int HEAD_CHECKSUM_OFFSET = 28;
    private static final int FRAME_HEAD = 32;
    private static final int MAGIC = 0x53535046;

    private DamagedLog() {}

    /** Changes one byte of a text, wherever it is in the files of a directory, so that its checksum is wrong. */
    static void changeByte(Path directory, String text) throws IOException {
        Place place = find(directory, text);
        write(place.file, place.offset, new byte[] {(byte) ~text.getBytes(StandardCharsets.ISO_8859_1)[0]});
    }

    /** Changes the bytes of an entry and corrects its checksums: a copy that was never written, but looks valid. */
    static void changeEntry(Path directory, String text, String other) throws IOException {
        Place place = find(directory, text);
        write(place.file, place.offset, other.getBytes(StandardCharsets.ISO_8859_1));
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(place.file));
        int frame = place.offset / 8 * 8;
        while (bytes.getInt(frame) != MAGIC) {
            frame -= 8;
        }
        int entrySize = bytes.getInt(frame + 4);
        assertThat(frame + FRAME_HEAD + entrySize).isGreaterThan(place.offset);
        CRC32C entry = new CRC32C();
        entry.update(bytes.array(), frame + FRAME_HEAD, entrySize);
        bytes.putInt(frame + ENTRY_CHECKSUM_OFFSET, (int) entry.getValue());
        CRC32C head = new CRC32C();
        head.update(bytes.array(), SALT_OFFSET, 4);
        head.update(bytes.array(), frame, HEAD_CHECKSUM_OFFSET);
        bytes.putInt(frame + HEAD_CHECKSUM_OFFSET, (int) head.getValue());
        byte[] changed = new byte[FRAME_HEAD];
        bytes.position(frame);
        bytes.get(changed);
        write(place.file, frame, changed);
    }

    private static Place find(Path directory, String text) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(directory)) {
            files = found.filter(Files::isRegularFile).toList();
        }
        List<Place> places = files.stream()
                .map(file -> new Place(file, offset(file, text)))
                .filter(place -> place.offset >= 0)
                .toList();
        assertThat(places).as("files with %s in %s", text, directory).hasSize(1);
        return places.get(0);
    }

    private static int offset(Path file, String text) {
        try {
            // Every byte is one character.
            return Files.readString(file, StandardCharsets.ISO_8859_1).indexOf(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, int offset, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }

    private record Place(Path file, int offset) {}
}
