/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.file.FailingFiles;
import io.trefoil.journal.storage.file.NioFiles;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.log.LogImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract, for files on the disk of this machine. */
class FileJournalStorageTest extends JournalStorageContract {

    private final FailingFiles files = new FailingFiles();

    @TempDir(factory = TargetTempDirFactory.class)
    private Path parent;

    @Override
    protected StorageDevice freshDevice() {
        return new FileStorageDevice(
                parent.resolve("journal"), SMALL.withRecentBytes(2000), files, task -> new Thread(task).start());
    }

    @Override
    protected void damage(long sn) throws IOException {
        LogImage.Place place = LogImage.find(files, parent.resolve("journal"), sn);
        try (OpenFile file = new NioFiles().open(place.file())) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), place.payloadOffset());
        }
    }

    @Override
    protected void failNextOperation() {
        files.fail(true);
    }

    @Override
    protected void heal() {
        files.fail(false);
    }
}
