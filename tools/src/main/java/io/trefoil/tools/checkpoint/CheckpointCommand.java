/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.checkpoint.Checkpoints;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** {@code hdfs trefoil checkpoint}: the commands about checkpoints of a whole federation. */
@Command(
        name = "checkpoint",
        synopsisSubcommandLabel = "COMMAND",
        description = "Points in time to which all nameservices of a federation can go back together.",
        exitCodeListHeading = "%nExit codes of all commands:%n",
        exitCodeList = {
            "0:it was done, or all is in order",
            "1:something was found or could not be done; the output says what",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        })
public final class CheckpointCommand {

    private CheckpointCommand() {}

    /**
     * @param checkpoints called only when a command runs: other commands must work with a wrong configuration
     * @param history which subtrees were moved
     */
    public static CommandLine newCommandLine(Supplier<Checkpoints> checkpoints, MoveHistory history) {
        CommandLine checkpoint = new CommandLine(new CheckpointCommand())
                .addSubcommand(new CreateCommand(checkpoints, history))
                .addSubcommand(new ListCommand(checkpoints))
                .addSubcommand(new ShowCommand(checkpoints, history))
                .addSubcommand(new VerifyCheckpointCommand(checkpoints))
                .addSubcommand(new DeleteCommand(checkpoints))
                .addSubcommand(new PruneCommand(checkpoints))
                .addSubcommand(new RestoreCommand(checkpoints, history));
        addHelp(checkpoint);
        checkpoint.getSubcommands().values().forEach(CheckpointCommand::addHelp);
        return checkpoint;
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help text and exit.")
                        .build());
    }
}
