/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil table}: the commands about the table of subtrees. */
@Command(
        name = "table",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows and changes which nameservice of a federation owns which subtree.",
        footer = {"", "Examples:", "  hdfs trefoil table show", "  hdfs trefoil table add /warehouse/logs ns2 --dry-run"
        })
public final class TableCommand {

    private TableCommand() {}

    /** Creates the command line with all its subcommands. */
    public static CommandLine newCommandLine(Installation installation) {
        return new CommandLine(new TableCommand())
                .addSubcommand(new TableCreateCommand(installation))
                .addSubcommand(new TableShowCommand(installation))
                .addSubcommand(new TableAddCommand(installation))
                .addSubcommand(new TableSetCommand(installation))
                .addSubcommand(new TableRemoveCommand(installation))
                .addSubcommand(new TableHashCommand(installation))
                .addSubcommand(new TableUnhashCommand(installation))
                .addSubcommand(new TableHistoryCommand(installation))
                .addSubcommand(new TableMirrorCommand(installation));
    }
}
