/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.IOException;

/** The file system of the machine, or another one, which refuses to take anything more while it is told so. */
public class FailingFiles extends ForwardingFiles {

    private volatile boolean failing;

    public FailingFiles() {
        this(new NioFiles());
    }

    public FailingFiles(FileLayer files) {
        super(files);
    }

    public void fail(boolean nextAndLater) {
        failing = nextAndLater;
    }

    @Override
    protected <T> T intercept(OperationKind operation, Call<T> call) throws IOException {
        if (failing && (operation == OperationKind.CHANGE || operation == OperationKind.SYNC)) {
            throw new IOException("No space left on device (told so)");
        }
        return call.run();
    }
}
