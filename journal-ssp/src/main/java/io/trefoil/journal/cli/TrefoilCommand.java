/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.cli;

import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** {@code trefoil}: the root of all commands. */
@Command(
        name = "trefoil",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Commands of the replicated journal behind ssp:// URIs, and of automatic failover.")
public final class TrefoilCommand {

    private TrefoilCommand() {}

    /**
     * Runs one command.
     *
     * @param others commands that other jars bring, with what they are for: named in the help text
     * @param out for what was asked for
     * @param err for what went wrong
     * @return an {@link ExitCode}
     */
    public static int run(
            Installation installation,
            Map<String, String> others,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        CommandLine journal = new CommandLine(new JournalCommand())
                .addSubcommand(new StatusCommand(installation))
                .addSubcommand(new VerifyCommand(installation))
                .addSubcommand(new RepairCommand(installation))
                .addSubcommand(new ExportCommand(installation))
                .addSubcommand(new AddCommand(installation))
                .addSubcommand(new RemoveCommand(installation))
                .addSubcommand(new ReplaceCommand(installation))
                .addSubcommand(new PinCommand(installation))
                .addSubcommand(new UnpinCommand(installation))
                .addSubcommand(new PinsCommand(installation));
        journal.registerConverter(NodeAddress.class, TrefoilCommand::address);
        CommandLine trefoil = new CommandLine(new TrefoilCommand());
        trefoil.getCommandSpec().usageMessage().footer(footer(others));
        CommandLine image = new CommandLine(new ImageCommand())
                .addSubcommand(new ImageListCommand(installation))
                .addSubcommand(new ImageFetchCommand(installation));
        int code = trefoil.addSubcommand(journal)
                .addSubcommand(image)
                .addSubcommand(new RenewCommand(installation))
                .addSubcommand(new ViewCommand(installation.nameNodes()))
                .addSubcommand(new HistoryCommand(installation.nameNodes()))
                .addSubcommand(new CompletionCommand())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, ignored) -> wrong(wrong))
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command))
                .execute(arguments);
        // The process ends at once.
        out.flush();
        err.flush();
        return code;
    }

    private static String[] footer(Map<String, String> others) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        if (!others.isEmpty()) {
            lines.add("By other jars on the class path, with a --help of their own:");
            others.forEach((name, description) -> lines.add(String.format("  %-10s %s", name, description)));
            lines.add("");
        }
        lines.add("Before the command, Hadoop's own options may stand: -conf FILE, -D property=value.");
        lines.add("By way of the shell profile it is called \"hdfs trefoil\".");
        return lines.toArray(new String[0]);
    }

    private static NodeAddress address(String text) {
        try {
            return NodeAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** Says what is wrong with the command line, without the whole help text behind it. */
    private static int wrong(ParameterException wrong) {
        String name = wrong.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println(wrong.getMessage());
        err.println("Try '" + name + " --help'.");
        return ExitCode.USAGE;
    }

    /** A bug shows its trace; what the world did wrong, or the operator, is a line of text. */
    private static int failed(Exception failure, CommandLine command) throws Exception {
        PrintWriter err = command.getErr();
        if (failure instanceof NobodyAnsweredException) {
            err.println(failure.getMessage());
            return ExitCode.NOBODY_ANSWERED;
        }
        if (failure instanceof IOException) {
            err.println(failure.getMessage());
            return ExitCode.FINDING;
        }
        throw failure;
    }
}
