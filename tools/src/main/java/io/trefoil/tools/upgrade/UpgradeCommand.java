/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil upgrade}: the commands of a rolling upgrade. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Takes the NameNodes of a nameservice to another version of Trefoil, one at a time, while clients go on."
                        + " Stops and starts nothing: that is done on the hosts, between the commands.",
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil upgrade plan",
            "  hdfs trefoil upgrade next nn3",
            "  hdfs trefoil upgrade finish nn3",
            "  hdfs trefoil upgrade abort"
        })
public final class UpgradeCommand {

    private UpgradeCommand() {}

    /** Creates the command line with all its subcommands. */
    public static CommandLine newCommandLine(NameNodes nameNodes) {
        return new CommandLine(new UpgradeCommand())
                .addSubcommand(new UpgradePlanCommand(nameNodes))
                .addSubcommand(new UpgradeNextCommand(nameNodes))
                .addSubcommand(new UpgradeFinishCommand(nameNodes))
                .addSubcommand(new UpgradeAbortCommand(nameNodes));
    }
}
