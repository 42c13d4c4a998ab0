/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Waits between two polls of a state whose changes are not reported. */
public final class Pause {

    private Pause() {}

    /** @throws InterruptedIOException if the thread is interrupted, which it stays */
    public static void sleepMillis(long millis, String whenInterrupted) throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(whenInterrupted);
        }
    }
}
