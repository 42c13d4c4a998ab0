/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/** While it is open, who writes a certain line to the log of this process waits for the disk. */
public final class HungLog extends PrintStream {
    private final PrintStream log = System.err;
    private final String text;
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch thawed = new CountDownLatch(1);

    /** @param text what the line contains */
    public HungLog(String text) {
        super(System.err, true);
        this.text = text;
        System.setErr(this);
    }

    @Override
    public void println(String line) {
        if (line.contains(text)) {
            hanging.countDown();
            try {
                thawed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        log.println(line);
    }

    /** Returns when a thread waits for the disk. */
    public void awaitHanging() throws InterruptedException {
        hanging.await();
    }

    @Override
    public void close() {
        thawed.countDown();
        System.setErr(log);
    }
}
