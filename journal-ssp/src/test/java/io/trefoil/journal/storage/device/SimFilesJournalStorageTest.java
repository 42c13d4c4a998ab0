/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.file.SimFiles;
import io.trefoil.journal.storage.log.LogImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** The contract, for the same files on a file system in memory, so that the tests of crashes stand on firm ground. */
class SimFilesJournalStorageTest extends JournalStorageContract {

    private static final Path DIRECTORY = Path.of("/pool/journal");

    private final SimFiles files = new SimFiles(new Random(1));

    @Override
    protected StorageDevice freshDevice() {
        return new FileStorageDevice(DIRECTORY, SMALL.withRecentBytes(0), files, Runnable::run);
    }

    @Override
    protected void damage(long sn) throws IOException {
        LogImage.Place place = LogImage.find(files, DIRECTORY, sn);
        files.flip(place.file(), place.payloadOffset(), 1);
    }

    @Override
    protected void failNextOperation() {
        files.failFrom(1);
    }

    @Override
    protected void heal() {
        files.heal();
    }
}
