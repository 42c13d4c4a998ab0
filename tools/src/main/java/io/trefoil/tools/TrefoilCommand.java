/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import io.trefoil.foundation.NoServerReachedException;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.archive.ArchiveCommand;
import io.trefoil.tools.checkpoint.CheckpointCommand;
import io.trefoil.tools.checkpoint.MoveHistory;
import io.trefoil.tools.cluster.CommandPlugin;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.diagnose.DiagnoseCommand;
import io.trefoil.tools.export.ExportCommand;
import io.trefoil.tools.group.AwaitCommand;
import io.trefoil.tools.group.DrainCommand;
import io.trefoil.tools.group.GroupStatusCommand;
import io.trefoil.tools.group.HistoryCommand;
import io.trefoil.tools.group.PreferCommand;
import io.trefoil.tools.group.UndrainCommand;
import io.trefoil.tools.group.ViewCommand;
import io.trefoil.tools.home.MoveHomeCommand;
import io.trefoil.tools.image.ImageCommand;
import io.trefoil.tools.image.ImageFetchCommand;
import io.trefoil.tools.image.ImageListCommand;
import io.trefoil.tools.image.RenewCommand;
import io.trefoil.tools.members.GroupCommand;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pin.PinCommand;
import io.trefoil.tools.pin.PinsCommand;
import io.trefoil.tools.pin.UnpinCommand;
import io.trefoil.tools.pool.AddCommand;
import io.trefoil.tools.pool.JournalCommand;
import io.trefoil.tools.pool.PromoteCommand;
import io.trefoil.tools.pool.RemoveCommand;
import io.trefoil.tools.pool.ReplaceCommand;
import io.trefoil.tools.pool.StatusCommand;
import io.trefoil.tools.preflight.PreflightCommand;
import io.trefoil.tools.site.DisableCommand;
import io.trefoil.tools.site.EnableCommand;
import io.trefoil.tools.site.InitCommand;
import io.trefoil.tools.upgrade.UpgradeCommand;
import io.trefoil.tools.verify.RepairCommand;
import io.trefoil.tools.verify.VerifyJournalCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code trefoil}: the root of all commands. */
@Command(
        name = "trefoil",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows and changes the NameNodes of a nameservice and their failover, the replicated journal behind ssp:// URIs, global"
                        + " checkpoints, and the subtrees of a federation.",
        footer = {
            "",
            "Hadoop's own options go before the command: -conf FILE, -D property=value.",
            "The shell profile makes it available as \"hdfs trefoil\".",
            "",
            "Examples:",
            "  hdfs trefoil status",
            "  hdfs trefoil -conf other/hdfs-site.xml journal status",
            "  hdfs trefoil journal add --help"
        })
public final class TrefoilCommand {
    private static final Pattern NO_NUMBER = Pattern.compile("('[^']*') is not an? (?:int|long)$");
    /** The command that operators type where the shell profile is linked. */
    public static final String PROFILE_COMMAND = "hdfs trefoil";

    private TrefoilCommand() {}

    /**
     * Runs one command.
     *
     * @param commandLine how this command was called, for help and for errors
     * @param out for the result
     * @param err for errors and progress
     * @return an {@link ExitCode}
     */
    public static int run(
            Installation installation, String commandLine, PrintWriter out, PrintWriter err, String... arguments) {
        return execute(newCommandLine(installation).setCommandName(commandLine), out, err, arguments);
    }

    /** All commands. */
    static CommandLine newCommandLine(Installation installation) {
        CommandLine journal = new CommandLine(new JournalCommand())
                .addSubcommand(new StatusCommand(installation))
                .addSubcommand(new VerifyJournalCommand(installation))
                .addSubcommand(new RepairCommand(installation))
                .addSubcommand(new ExportCommand(installation))
                .addSubcommand(new AddCommand(installation))
                .addSubcommand(new RemoveCommand(installation))
                .addSubcommand(new ReplaceCommand(installation))
                .addSubcommand(new PromoteCommand(installation))
                .addSubcommand(new PinCommand(installation))
                .addSubcommand(new UnpinCommand(installation))
                .addSubcommand(new PinsCommand(installation));
        journal.registerConverter(NodeAddress.class, TrefoilCommand::parseAddress);
        CommandLine trefoil = new CommandLine(new TrefoilCommand());
        CommandLine image = new CommandLine(new ImageCommand())
                .addSubcommand(new ImageListCommand(installation))
                .addSubcommand(new ImageFetchCommand(installation));
        trefoil.addSubcommand(journal)
                .addSubcommand(image)
                .addSubcommand(ArchiveCommand.newCommandLine(installation))
                .addSubcommand(new RenewCommand(installation))
                .addSubcommand(new GroupStatusCommand(installation.nameNodes()))
                .addSubcommand(new ViewCommand(installation.nameNodes()))
                .addSubcommand(new HistoryCommand(installation.nameNodes()))
                .addSubcommand(new PreferCommand(installation.nameNodes()))
                .addSubcommand(new DrainCommand(installation))
                .addSubcommand(new UndrainCommand(installation))
                .addSubcommand(new AwaitCommand(installation))
                .addSubcommand(UpgradeCommand.newCommandLine(installation.nameNodes()))
                .addSubcommand(new MoveHomeCommand(installation))
                .addSubcommand(GroupCommand.newCommandLine(installation.nameNodes()))
                .addSubcommand(
                        "checkpoint",
                        CheckpointCommand.newCommandLine(
                                installation::checkpoints,
                                installation.findPart(MoveHistory.class).orElse(MoveHistory.NONE)));
        for (CommandPlugin added : ServiceLoader.load(CommandPlugin.class, CommandPlugin.class.getClassLoader())) {
            added.newCommandLines(installation).forEach(trefoil::addSubcommand);
        }
        trefoil.addSubcommand(new PreflightCommand(installation))
                .addSubcommand(new DiagnoseCommand(installation, arguments -> output(installation, arguments)))
                .addSubcommand(new InitCommand())
                .addSubcommand(new EnableCommand())
                .addSubcommand(new DisableCommand())
                .addSubcommand(new CompletionCommand());
        return trefoil;
    }

    /** The output of a command, followed by its exit code. */
    private static String output(Installation installation, String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text, true);
        int code = run(installation, PROFILE_COMMAND, writer, writer, arguments);
        return text + "exit code " + code + "\n";
    }

    /** Runs a command, or one of its subcommands, in the way of all Trefoil commands. */
    public static int execute(CommandLine command, PrintWriter out, PrintWriter err, String... arguments) {
        int code = command.setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, ignored) -> printUsageError(wrong))
                .setExecutionExceptionHandler((failure, failed, parsed) -> printFailure(failure, failed))
                .execute(arguments);
        // Flushed here, because the process ends at once.
        out.flush();
        err.flush();
        return code;
    }

    private static NodeAddress parseAddress(String text) {
        try {
            return NodeAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** Prints the error in the command line, without the whole help text. */
    private static int printUsageError(ParameterException exception) {
        CommandLine command = exception.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(text(exception));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    /** Replaces the name of a Java type, which picocli prints if a number was expected. */
    private static String valueErrorText(ParameterException exception) {
        if (exception.getArgSpec() == null) {
            return exception.getMessage();
        }
        String wanted = "wanted " + exception.getArgSpec().paramLabel() + ", a whole number, found ";
        return NO_NUMBER.matcher(exception.getMessage()).replaceFirst(Matcher.quoteReplacement(wanted) + "$1");
    }

    private static String text(ParameterException exception) {
        Set<String> commands = exception.getCommandLine().getSubcommands().keySet();
        if (exception instanceof UnmatchedArgumentException) {
            UnmatchedArgumentException unmatched = (UnmatchedArgumentException) exception;
            String first = unmatched.getUnmatched().get(0);
            String text;
            if (unmatched.isUnknownOption()) {
                text = unmatched.getMessage();
                if (first.startsWith("-conf") || first.startsWith("-D") || first.startsWith("-fs")) {
                    return text + "; Hadoop's own options stand before the command: hdfs trefoil " + first + " ...";
                }
            } else if (commands.isEmpty()) {
                text = "'" + first + "' is one word too many";
            } else if (first.equals("help")) {
                return "Wanted a command: " + String.join(", ", commands);
            } else {
                text = "There is no command '" + first + "'";
            }
            List<String> similar = unmatched.getSuggestions();
            return similar.isEmpty() ? text : text + "; did you mean " + String.join(" or ", similar) + "?";
        }
        // A command that has subcommands has no parameters of its own that could be wrong.
        return commands.isEmpty() ? valueErrorText(exception) : "Wanted a command: " + String.join(", ", commands);
    }

    /** The text of a failure. For some, the JDK's message names only the file, and only the class name says what is wrong. */
    private static String text(IOException failure) {
        boolean isBare = failure instanceof FileSystemException && ((FileSystemException) failure).getReason() == null;
        if (!isBare) {
            return failure.getMessage();
        }
        String what = failure.getClass().getSimpleName();
        if (failure instanceof NoSuchFileException) {
            what = "no such file or directory";
        } else if (failure instanceof AccessDeniedException) {
            what = "permission denied";
        } else if (failure instanceof FileAlreadyExistsException) {
            what = "exists already";
        }
        return ((FileSystemException) failure).getFile() + ": " + what;
    }

    /** Prints a failure: a bug with its stack trace, an error of the environment or the operator as a line of text. */
    private static int printFailure(Exception failure, CommandLine command) throws Exception {
        PrintWriter err = command.getErr();
        if (failure instanceof NoServerReachedException) {
            err.println(failure.getMessage());
            return ExitCode.NOBODY_ANSWERED;
        }
        if (failure instanceof IOException) {
            err.println(text((IOException) failure));
            return ExitCode.FINDING;
        }
        throw failure;
    }
}
