/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil subtree}: the commands that move subtrees, and suggest moves. */
@Command(
        name = "subtree",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Moves subtrees of a federation, with everything in them, without copying blocks, shows which have the most calls, and plans"
                    + " which to move."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil subtree move /warehouse/logs --to ns2 --dry-run",
            "  hdfs trefoil subtree status",
            "  hdfs trefoil subtree load",
            "  hdfs trefoil subtree plan"
        })
public final class SubtreeCommand {

    private SubtreeCommand() {}

    /** Creates the command line with all its subcommands. */
    public static CommandLine newCommandLine(Installation installation) {
        return new CommandLine(new SubtreeCommand())
                .addSubcommand(new SubtreeMoveCommand(installation))
                .addSubcommand(new SubtreeStatusCommand(installation))
                .addSubcommand(new SubtreeAbortCommand(installation))
                .addSubcommand(new SubtreeLoadCommand(installation))
                .addSubcommand(new SubtreePlanCommand(installation));
    }
}
