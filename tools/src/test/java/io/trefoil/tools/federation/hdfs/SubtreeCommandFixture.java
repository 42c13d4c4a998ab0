/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Moves of a subtree, and the commands that an operator types. */
abstract class SubtreeCommandFixture extends SubtreeMoveFixture {

    static String[] concat(String[] arguments, String... more) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
    }

    /** What a command prints. */
    final String runCommand(String... arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--table", "hdfs://ns1" + table.tableDirectory()));
        TrefoilMain.run(federation.clientConfiguration(), out, out, all.toArray(String[]::new));
        return printed.toString(StandardCharsets.UTF_8);
    }
}
