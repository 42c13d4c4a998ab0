/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * Runs another main class, unchanged, in a JVM that exits as soon as its parent is gone.
 *
 * <p>The leash is standard input: a pipe whose other end only the parent holds. The operating system closes it when the
 * parent ends, even if the parent was killed with -9 and could not clean up. The main class itself finds the text of
 * the system property {@value #INPUT} in its standard input; without the property, it finds it empty.
 *
 * <p>Arguments: the name of the main class, then its own arguments. This class uses nothing but the JDK, because it is
 * the only one of ours on the class path of a stock server.
 */
public final class ExitWithParent {
    /** The system property that holds the input of an operator. */
    public static final String INPUT = "leashed.input";

    /** The exit code that a shell reports for a process killed with -9; no server exits with it on its own. */
    private static final int LEASH_BROKE = 137;

    private ExitWithParent() {}

    public static void main(String[] arguments) throws Throwable {
        InputStream parentPipe = System.in;
        String typed = System.getProperty(INPUT, "");
        System.setIn(new ByteArrayInputStream(typed.getBytes(Charset.defaultCharset())));
        Thread holder = new Thread(() -> awaitParentExit(parentPipe), "leash");
        holder.setDaemon(true);
        holder.start();

        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) own);
        } catch (InvocationTargetException thrownByMain) {
            throw thrownByMain.getCause();
        }
    }

    private static void awaitParentExit(InputStream parentPipe) {
        try {
            while (parentPipe.read() >= 0) {
                // No process writes here; only the end of the stream matters.
            }
        } catch (IOException broken) {
            // As good as the end of the stream.
        }
        // No shutdown hooks: they could wait for servers that are being killed at this moment as well.
        Runtime.getRuntime().halt(LEASH_BROKE);
    }
}
