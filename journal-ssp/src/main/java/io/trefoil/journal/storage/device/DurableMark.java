/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.LogDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code durable}: records up to which entry the log was durable when it was last idle. Each group of entries says
 * this about the previous group, so only the very last group needs the file: with it, bit rot in that group is not
 * mistaken for a torn tail.
 *
 * <p>It is evidence, not a promise: it is never synced, and a crash may return it to an earlier value. So it must never
 * say more than the log holds, and is deleted, durably, before the log is cut below it. For one thread.
 */
final class DurableMark implements Closeable {

    static final String NAME = "durable";

    private static final Logger LOG = LoggerFactory.getLogger(DurableMark.class);

    /** "SSPDURA" and a zero. */
    private static final long MAGIC = 0x53535044_55524100L;

    private static final int SIZE = 8 + 8 + 4;

    private final LogDirectory directory;
    private final Path path;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
    /** The value in the file; only a higher one is written. */
    private long sn;

    private OpenFile file;
    private boolean givenUp;

    private DurableMark(LogDirectory directory) {
        this.directory = directory;
        this.path = directory.path().resolve(NAME);
    }

    /** Reads the existing file; a damaged one counts as empty. */
    static DurableMark of(LogDirectory directory) throws IOException {
        DurableMark mark = new DurableMark(directory);
        if (directory.files().exists(mark.path)) {
            try (OpenFile file = directory.files().open(mark.path)) {
                mark.sn = mark.read(file);
            }
        }
        return mark;
    }

    private long read(OpenFile from) throws IOException {
        if (from.size() < SIZE) {
            return 0;
        }
        ByteBuffer buffer = ByteBuffer.allocate(SIZE);
        from.read(buffer, 0);
        boolean sound = buffer.getLong(0) == MAGIC && buffer.getInt(SIZE - 4) == Crc32c.of(buffer.array(), 0, SIZE - 4);
        return sound ? buffer.getLong(8) : 0;
    }

    /** The entry up to which the log was once durable; 0 if nothing is known. */
    long sn() {
        return sn;
    }

    /** Records that the log is durable up to an entry; does not wait for the disk. */
    void recordDurable(long durableSn) {
        if (durableSn <= sn || givenUp) {
            return;
        }
        try {
            if (file == null) {
                file = directory.files().create(path);
            }
            byte[] said =
                    ByteBuffer.allocate(SIZE).putLong(MAGIC).putLong(durableSn).array();
            bytes.clear();
            bytes.put(said, 0, SIZE - 4).putInt(Crc32c.of(said, 0, SIZE - 4));
            bytes.flip();
            file.write(bytes, 0);
            sn = durableSn;
        } catch (IOException e) {
            // It is only evidence: the replica continues without it, above all on a full disk.
            givenUp = true;
            LOG.warn(
                    "Cannot record up to which entry the log is durable, so damage at its end would go unnoticed: "
                            + "file={}; do: check that disk",
                    path,
                    e);
        }
    }

    /** Removes any mark above the entry that will be the last; durable when it returns. */
    void forgetAbove(long lastSn) throws IOException {
        if (sn <= lastSn) {
            return;
        }
        close();
        directory.files().delete(path);
        directory.force();
        sn = 0;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            OpenFile open = file;
            file = null;
            open.close();
        }
    }
}
