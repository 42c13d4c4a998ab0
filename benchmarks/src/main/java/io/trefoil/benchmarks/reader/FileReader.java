/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads edits of one size from the writer's own file: to measure the cost of disk and decoding. */
final class FileReader implements JournalReader {
    private final Path file;
    private final int editBytes;

    FileReader(Path file, int editBytes) {
        this.file = file;
        this.editBytes = editBytes;
    }

    @Override
    public long read(Segment segment, long firstTxId, long records) throws IOException {
        try (FileChannel channel = FileChannel.open(file);
                InputStream bytes = Channels.newInputStream(channel.position((firstTxId - 1) * editBytes))) {
            return EditDecoder.count(bytes, records);
        }
    }

    @Override
    public void close() {
        // Each reading opens the file.
    }
}
