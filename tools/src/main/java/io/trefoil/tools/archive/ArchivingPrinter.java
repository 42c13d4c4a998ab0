/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.run.ArchiveObserver;
import io.trefoil.checkpoint.archive.store.ForeignArchiveException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Prints a line when something begins to fail and when it works again. Thread-safe. */
final class ArchivingPrinter implements ArchiveObserver {

    private final PrintWriter out;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    ArchivingPrinter(PrintWriter out) {
        this.out = out;
    }

    /**
     * Waits until nothing can be archived any more.
     *
     * @throws IOException always, unless the calling thread was interrupted: why it cannot
     */
    void awaitEnd() throws IOException {
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void archivingChanged(boolean begins) {
        // It is all that the command does.
    }

    @Override
    public void wrote(long entries) {
        // An operator asks the archive.
    }

    @Override
    public void copiedImage() {
        // As above.
    }

    @Override
    public void pruned(int objects) {
        // The command prunes nothing.
    }

    @Override
    public void skipped(long entries) {
        print("gap" + WriteCommand.skippedText(entries));
    }

    @Override
    public void failing(String what, IOException failure) {
        if (failure instanceof ForeignArchiveException) {
            end.completeExceptionally(failure);
        } else {
            print(what + " not written, will be tried until they are: " + failure.getMessage());
        }
    }

    @Override
    public void recovered(String what) {
        print(what + " written again");
    }

    @Override
    public void died(Throwable cause) {
        end.completeExceptionally(cause);
    }

    private synchronized void print(String text) {
        out.println(Instant.ofEpochMilli(System.currentTimeMillis()) + " " + text);
        out.flush();
    }
}
