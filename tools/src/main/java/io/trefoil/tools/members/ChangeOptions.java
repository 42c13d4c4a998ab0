/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.group.GroupOptions;
import io.trefoil.tools.output.TimeOption;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that both commands accept. */
final class ChangeOptions {

    @Mixin
    private final GroupOptions group;

    @Parameters(paramLabel = "NAMENODE", description = "Its id in dfs.ha.namenodes.")
    private String nameNode;

    @Option(names = "--dry-run", description = "Ask every server, tell none, and say what would be done.")
    private boolean dryRun;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5m",
            description =
                    "How long it may take, as 30s, or a number of seconds; ${DEFAULT-VALUE} if not given. Then it says what is missing,"
                            + " and sooner if waiting does not help. It may be run again at any time.")
    private String time;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    ChangeOptions(NameNodes nameNodes) {
        group = new GroupOptions(nameNodes);
    }

    GroupOptions group() {
        return group;
    }

    String nameNode() {
        return nameNode;
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** @throws ParameterException if it is no duration */
    Duration timeout() {
        return TimeOption.parseWait(command, time);
    }

    ParameterException newParameterException(String text) {
        return new ParameterException(command.commandLine(), text);
    }

    /** Prints progress, which is not part of the result. */
    void printProgress(String text) {
        command.commandLine().getErr().println(text);
        command.commandLine().getErr().flush();
    }

    void print(OutcomeReport report, String end) {
        group.print(() -> report.json(nameNode, end), () -> report.text(end));
    }
}
