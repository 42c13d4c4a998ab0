/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import io.trefoil.it.process.SupervisedProcess;

/** A harness in a process of its own: starts an {@link Idler}, prints its pid, and waits to be killed. */
public final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws InterruptedException {
        SupervisedProcess child = new SupervisedProcess("child", Idlers::runningForever, true);
        child.start();
        if (arguments.length > 0 && arguments[0].equals("paused")) {
            child.pause();
        }
        System.out.println(child.pid());
        Idler.main(new String[0]);
    }
}
