/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.cluster.NoAnswerException;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil view}: shows which NameNode is active, and the state of the others. */
@Command(
        name = "view",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Asks every NameNode of a nameservice how it is and what it knows of the others. Needs no ZooKeeper.",
            "Reports a NameNode that does not answer or is a junior, and a group without exactly one active."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:one is active, all others are standbys",
            "1:something is reported",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil view", "  hdfs trefoil view --watch 2"})
public final class ViewCommand implements Callable<Integer> {

    /** Moves the cursor to the upper left and erases everything after it; every terminal supports this. */
    private static final String CLEAR = "\u001b[H\u001b[J";

    @Mixin
    private final GroupOptions options;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "1",
            defaultValue = "0",
            description =
                    "Show it again every so many seconds, ${FALLBACK-VALUE} if no number is given, until " + "Ctrl-C.")
    private int watchSeconds;

    @Spec
    private CommandSpec command;

    public ViewCommand(NameNodes nameNodes) {
        options = new GroupOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        if (watchSeconds < 0) {
            throw new ParameterException(command.commandLine(), "--watch is at least 1 second, got " + watchSeconds);
        }
        while (watchSeconds > 0) {
            String text;
            try {
                text = new ViewText(options.queryReports()).table();
            } catch (NoAnswerException e) {
                // NameNodes may come back while an operator watches.
                text = e.getMessage() + "\n";
            }
            options.print(CLEAR + text);
            try {
                TimeUnit.SECONDS.sleep(watchSeconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return ExitCode.FINE;
            }
        }
        ViewText report = new ViewText(options.queryReports());
        options.print(report::json, report::table);
        return report.isHealthy() ? ExitCode.FINE : ExitCode.FINDING;
    }
}
