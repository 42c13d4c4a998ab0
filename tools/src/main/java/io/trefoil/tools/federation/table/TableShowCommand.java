/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil table show}: shows the newest version. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {"Shows the newest version of the table, or which nameservice owns a path."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown",
            "1:there is no table, or it cannot be read",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table show", "  hdfs trefoil table show /warehouse/logs/today"})
public final class TableShowCommand implements Callable<Integer> {

    @Mixin
    private final TableOptions options;

    @Parameters(paramLabel = "PATH", arity = "0..1", description = "Show the owner of this path alone.")
    private String path;

    public TableShowCommand(Installation installation) {
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore store = options.open()) {
            TableRecord newest = store.requireNewest();
            if (path == null) {
                options.print(() -> TableText.json(newest.table()), () -> TableText.text(newest.table()));
            } else {
                SubtreePath wanted = options.parsePath(path);
                options.print(() -> owner(newest.table(), wanted), () -> ownerText(newest.table(), wanted));
            }
            return ExitCode.FINE;
        }
    }

    private static String ownerText(SubtreeTable table, SubtreePath path) {
        return table.enclosingHashedDirectory(path)
                        .map(directory -> "hashed over "
                                + String.join(",", table.hashedDirectories().get(directory)))
                        .orElseGet(() -> table.ownerOf(path))
                + "\n";
    }

    private static Map<String, Object> owner(SubtreeTable table, SubtreePath path) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", path.text());
        object.put("version", table.version());
        Optional<SubtreePath> hashed = table.enclosingHashedDirectory(path);
        if (hashed.isPresent()) {
            object.put("entry", hashed.get().text());
            object.put("nameservices", table.hashedDirectories().get(hashed.get()));
            return object;
        }
        object.put("entry", table.entryFor(path).text());
        object.put("nameservice", table.ownerOf(path));
        return object;
    }
}
