/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import io.trefoil.it.process.jvm.ExitWithParent;
import java.io.File;
import java.util.concurrent.TimeUnit;

/**
 * Makes a program work in steps until it is stopped, and then check all of its work.
 *
 * <p>Arguments: the name of a file whose existence means stop; then the name of the program's class, which has a public
 * constructor without parameters, and the public methods {@code step(int)}, for numbers from 1, and {@code check(int)},
 * for the number of steps. Each step prints a line {@code step 7: 83 ms}, and success prints {@code checked 7 steps}.
 * The exit code is 1 if the program threw something. Like {@link ExitWithParent}, this class uses nothing but the JDK.
 */
public final class Steps {
    private Steps() {}

    public static void main(String[] arguments) {
        // Libraries leave threads behind that would keep the JVM alive.
        System.exit(run(new File(arguments[0]), arguments[1]));
    }

    private static int run(File stop, String program) {
        try {
            Class<?> type = Class.forName(program);
            Object worker = type.getConstructor().newInstance();
            int steps = 0;
            while (!stop.exists()) {
                steps++;
                long begin = System.nanoTime();
                type.getMethod("step", int.class).invoke(worker, steps);
                System.out.println("step " + steps + ": " + millisSince(begin) + " ms");
            }
            type.getMethod("check", int.class).invoke(worker, steps);
            System.out.println("checked " + steps + " steps");
            return 0;
        } catch (ReflectiveOperationException | RuntimeException | Error failed) {
            failed.printStackTrace(System.out);
            return 1;
        }
    }

    private static long millisSince(long begin) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
}
