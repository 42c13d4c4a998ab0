/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.mutation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Compares the mutants that survived with the page of those that cannot be killed: {@code REPORT SOURCES PAGE}. */
public final class Mutants {

    private Mutants() {}

    public static void main(String[] arguments) throws IOException {
        MutationReport report = MutationReport.read(Path.of(arguments[0]), Path.of(arguments[1]));
        System.exit(judge(report, MutantsPage.read(Path.of(arguments[2])), System.out));
    }

    /** 0 if exactly the listed ones survived, of the methods that the report is about. */
    static int judge(MutationReport report, List<Mutant> listed, PrintStream out) {
        List<Mutant> unlisted = new ArrayList<>(report.survivors());
        List<Mutant> killed = new ArrayList<>();
        for (Mutant mutant : listed) {
            if (!unlisted.remove(mutant) && report.covers(mutant.method())) {
                killed.add(mutant);
            }
        }
        print("Survived, and not listed: write the test, or the reason why there can be none", unlisted, out);
        print("Listed, and killed or gone: take it off the page", killed, out);
        out.printf(
                "%d mutants, %d survived, %d of them not listed%n",
                report.count(), report.survivors().size(), unlisted.size());
        return unlisted.isEmpty() && killed.isEmpty() ? 0 : 1;
    }

    private static void print(String title, List<Mutant> mutants, PrintStream out) {
        if (!mutants.isEmpty()) {
            out.println(title);
            Collections.sort(mutants);
            String method = "";
            for (Mutant mutant : mutants) {
                if (!mutant.method().equals(method)) {
                    method = mutant.method();
                    out.println("\n### `" + method + "`\n");
                }
                out.println(mutant.toListing());
            }
            out.println();
        }
    }
}
