/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.util.concurrent.CountDownLatch;

/** A server that does nothing: it runs until it is killed, or exits at once with the exit code that it is given. */
final class Idler {
    private Idler() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0) {
            System.exit(Integer.parseInt(arguments[0]));
        }
        new CountDownLatch(1).await();
    }
}
