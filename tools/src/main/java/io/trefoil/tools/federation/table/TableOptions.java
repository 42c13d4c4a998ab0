/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all table commands share, and their ways of finding the table and printing. */
public final class TableOptions {

    private final Installation installation;

    @Option(
            names = "--table",
            paramLabel = "URI",
            description =
                    "The directory that the table is kept in, as hdfs://ns1/.trefoil/subtrees; fs.viewfs.mounttable.path of the"
                            + " configuration if not given.")
    private String tableDirectory;

    @Option(names = "--json", description = "Print JSON instead of text.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    public TableOptions(Installation installation) {
        this.installation = installation;
    }

    /**
     * Opens the table; must be closed.
     *
     * @throws ParameterException if nothing says where the table is, or it cannot be there
     */
    public TableStore open() {
        try {
            return Federation.of(installation).openTable(Optional.ofNullable(tableDirectory));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** @throws ParameterException if the text is not the path of a subtree */
    public SubtreePath parsePath(String text) {
        try {
            return SubtreePath.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** The option to append to another command so that it finds the same table. */
    public String optionsText() {
        return tableDirectory == null ? "" : " --table " + tableDirectory;
    }

    /** Prints the result: as JSON if that was requested, else as text. */
    public void print(Supplier<Map<String, Object>> object, Supplier<String> text) {
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? Json.text(object.get()) : text.get());
        out.flush();
    }
}
