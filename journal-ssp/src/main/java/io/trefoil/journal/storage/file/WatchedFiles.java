/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Another file layer, each single call of which is watched: a disk that answers one call after the other is at work, however long all of
 * them take together; one that leaves a single call without an answer hangs, in whatever it was called.
 */
public final class WatchedFiles extends ForwardingFiles {

    private final DiskWatch watch;

    public WatchedFiles(FileLayer files, DiskWatch watch) {
        super(files);
        this.watch = watch;
    }

    @Override
    protected <T> T around(Work work, Call<T> call) throws IOException {
        try (DiskWatch.Call begun = watch.begin()) {
            return call.run();
        }
    }

    @Override
    public long usableBytes(Path directory) {
        try (DiskWatch.Call begun = watch.begin()) {
            return super.usableBytes(directory);
        }
    }
}
