/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.concurrent.ThreadFactory;

/** Threads of a process that has none left, if told so. */
public final class ExhaustibleThreadFactory implements ThreadFactory {
    private volatile boolean gone;

    /** From now on no thread starts. */
    public void exhaust() {
        gone = true;
    }

    /** Threads start again. */
    public void restore() {
        gone = false;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "scarce") {
            @Override
            public synchronized void start() {
                if (gone) {
                    // The JVM says OutOfMemoryError, which JUnit takes for its own end.
                    throw new InternalError("planted: no thread");
                }
                super.start();
            }
        };
        thread.setDaemon(true);
        return thread;
    }
}
