/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import io.trefoil.it.process.faults.FileSystemFreeze;
import java.nio.file.Path;

/** A harness in a process of its own that freezes a file system and waits to be killed. */
public final class FreezingParent {
    private FreezingParent() {}

    public static void main(String[] arguments) throws InterruptedException {
        FileSystemFreeze.of(Path.of(arguments[0]));
        System.out.println("frozen");
        Idler.main(new String[0]);
    }

    /** The command that starts it. */
    public static ProcessBuilder command(Path mountPoint) {
        return Idlers.command(FreezingParent.class, mountPoint.toString());
    }
}
