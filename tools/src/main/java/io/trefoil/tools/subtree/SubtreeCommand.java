/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil subtree}: the commands that move subtrees. */
@Command(
        name = "subtree",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Moves subtrees of a federation, with everything in them, without copying blocks.",
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil subtree move /warehouse/logs --to ns2 --dry-run",
            "  hdfs trefoil subtree status"
        })
public final class SubtreeCommand {

    private SubtreeCommand() {}

    /** With all its subcommands. */
    public static CommandLine line(Installation installation) {
        return new CommandLine(new SubtreeCommand())
                .addSubcommand(new SubtreeMoveCommand(installation))
                .addSubcommand(new SubtreeStatusCommand(installation))
                .addSubcommand(new SubtreeAbortCommand(installation));
    }
}
