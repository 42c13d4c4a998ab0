/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil group}: the commands that add and remove NameNodes. */
@Command(
        name = "group",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Has a running cluster take in another NameNode, or let one go.",
        footer = {"", "Examples:", "  hdfs trefoil group add nn4 --dry-run", "  hdfs trefoil group remove nn4"})
public final class GroupCommand {

    private GroupCommand() {}

    /** Creates the command line with all its subcommands. */
    public static CommandLine newCommandLine(NameNodes nameNodes) {
        return new CommandLine(new GroupCommand())
                .addSubcommand(new GroupAddCommand(nameNodes))
                .addSubcommand(new GroupRemoveCommand(nameNodes));
    }
}
