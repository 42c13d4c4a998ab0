/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil history}: lists the last changes of the active, with the time of every step. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Shows the last failovers of a nameservice, newest last, with the milliseconds from when it was "
                    + "noticed that there is no active until each step was done."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was shown", "2:the command line or the configuration is wrong", "3:no NameNode answers"},
        footer = {"", "Examples:", "  hdfs trefoil history --last 5", "  hdfs trefoil history --json"})
public final class HistoryCommand implements Callable<Integer> {

    @Mixin
    private final GroupOptions options;

    @Option(
            names = "--last",
            paramLabel = "COUNT",
            defaultValue = "20",
            description = "How many; ${DEFAULT-VALUE} if not given. 50 are kept.")
    private int last;

    @Spec
    private CommandSpec command;

    public HistoryCommand(NameNodes nameNodes) {
        options = new GroupOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        if (last < 1) {
            throw new ParameterException(command.commandLine(), "--last is at least 1, got " + last);
        }
        HistoryText report = new HistoryText(options.queryReports(), last);
        options.print(report::json, report::table);
        return ExitCode.FINE;
    }
}
