/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file layer that monitors each call to another one. A disk that answers call after call is working, however long all
 * of them take together; one that leaves a single call unanswered hangs, whatever the call was.
 */
public final class MonitoredFiles extends ForwardingFiles {

    private final DiskCallTracker watch;

    public MonitoredFiles(FileLayer files, DiskCallTracker watch) {
        super(files);
        this.watch = watch;
    }

    @Override
    protected <T> T intercept(OperationKind operation, Call<T> call) throws IOException {
        try (DiskCallTracker.Call begun = watch.begin()) {
            return call.run();
        }
    }

    @Override
    public long usableBytes(Path directory) {
        try (DiskCallTracker.Call begun = watch.begin()) {
            return super.usableBytes(directory);
        }
    }
}
