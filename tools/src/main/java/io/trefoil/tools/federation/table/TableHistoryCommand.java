/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil table history}: lists all versions. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {"Shows all versions of the table: when, by whom, and what was asked for."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is shown",
            "1:there is no table, or it cannot be read",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table history"})
public final class TableHistoryCommand implements Callable<Integer> {

    @Mixin
    private final TableOptions options;

    public TableHistoryCommand(Installation installation) {
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore store = options.open()) {
            store.requireNewest();
            List<TableRecord> records = store.history();
            options.print(() -> TableText.historyJson(records), () -> TableText.history(records));
            return ExitCode.FINE;
        }
    }
}
