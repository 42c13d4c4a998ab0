/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.cli;

import io.trefoil.journal.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** {@code hdfs trefoil checkpoint}: points in time of a whole federation. */
@Command(
        name = "trefoil checkpoint",
        synopsisSubcommandLabel = "COMMAND",
        description = "Points in time to which all nameservices of a federation can go back together.",
        exitCodeListHeading = "%nExit codes of all commands:%n",
        exitCodeList = {
            "0:it was done, or all is in order",
            "1:something was found or could not be done; what was printed says what",
            "2:the command line or the configuration is wrong"
        })
public final class CheckpointCommand {

    private CheckpointCommand() {}

    /**
     * Runs one command.
     *
     * @param out for what was asked for
     * @param err for what went wrong
     * @return an {@link ExitCode}
     */
    public static int run(Checkpoints checkpoints, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine checkpoint = new CommandLine(new CheckpointCommand())
                .addSubcommand(new CreateCommand(checkpoints))
                .addSubcommand(new ListCommand(checkpoints))
                .addSubcommand(new ShowCommand(checkpoints))
                .addSubcommand(new VerifyCommand(checkpoints))
                .addSubcommand(new DeleteCommand(checkpoints))
                .addSubcommand(new PruneCommand(checkpoints))
                .addSubcommand(new RestoreCommand(checkpoints));
        addHelp(checkpoint);
        checkpoint.getSubcommands().values().forEach(CheckpointCommand::addHelp);
        int code = checkpoint
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, ignored) -> wrong(wrong.getCommandLine(), wrong))
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command))
                .execute(arguments);
        out.flush();
        err.flush();
        return code;
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help text and exit.")
                        .build());
    }

    /** Says what is wrong with the command line or the configuration, without the whole help text behind it. */
    private static int wrong(CommandLine command, RuntimeException wrong) {
        PrintWriter err = command.getErr();
        err.println(wrong.getMessage());
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    /** A bug shows its trace; what the world did wrong, or the operator, is a line of text. */
    private static int failed(Exception failure, CommandLine command) throws Exception {
        if (failure instanceof IllegalArgumentException && !(failure instanceof ParameterException)) {
            return wrong(command, (IllegalArgumentException) failure);
        }
        if (failure instanceof IOException) {
            command.getErr().println(failure.getMessage());
            return ExitCode.FINDING;
        }
        throw failure;
    }
}
