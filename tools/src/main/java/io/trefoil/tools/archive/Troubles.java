/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;

/** Prints a line when something that is tried again and again begins to fail, and one when it works again. For one thread. */
final class Troubles {

    private final String what;
    private final PrintWriter out;
    private boolean failing;

    Troubles(String what, PrintWriter out) {
        this.what = what;
        this.out = out;
    }

    void add(IOException failure) {
        if (!failing) {
            print("not written, will be tried until they are: " + failure.getMessage());
        }
        failing = true;
    }

    void recovered() {
        if (failing) {
            print("written again");
        }
        failing = false;
    }

    private void print(String text) {
        out.println(Instant.ofEpochMilli(System.currentTimeMillis()) + " " + what + " " + text);
        out.flush();
    }
}
