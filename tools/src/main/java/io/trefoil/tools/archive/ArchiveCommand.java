/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code trefoil archive}: the commands about the archive of a namespace. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Keeps every committed edit and the images of a namespace on another file system or in an object store, and"
                        + " brings back the namespace of any instant.")
public final class ArchiveCommand {

    private ArchiveCommand() {}

    /** The command with its subcommands. */
    public static CommandLine newCommandLine(Installation installation) {
        return new CommandLine(new ArchiveCommand())
                .addSubcommand(new WriteCommand(installation))
                .addSubcommand(new StatusCommand(installation))
                .addSubcommand(new ListCommand(installation))
                .addSubcommand(new VerifyCommand(installation))
                .addSubcommand(new PruneCommand(installation))
                .addSubcommand(new ShowCommand(installation))
                .addSubcommand(new DiffCommand(installation))
                .addSubcommand(new MountCommand(installation))
                .addSubcommand(new FetchCommand(installation))
                .addSubcommand(new UndeleteCommand(installation))
                .addSubcommand(new RestoreCommand(installation));
    }
}
