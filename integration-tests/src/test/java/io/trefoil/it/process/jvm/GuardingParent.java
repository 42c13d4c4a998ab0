/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.nio.file.Path;

/** A harness in a process of its own that guards a directory and waits to be killed. */
final class GuardingParent {
    private GuardingParent() {}

    public static void main(String[] arguments) throws InterruptedException {
        StrayProcessKiller.guard(Path.of(arguments[0]));
        System.out.println("guarding");
        Idler.main(new String[0]);
    }
}
