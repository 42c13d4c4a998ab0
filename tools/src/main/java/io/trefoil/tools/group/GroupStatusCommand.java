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

/** {@code trefoil status}: reports in one sentence the state of a nameservice, and the remedy. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Says in one sentence how a nameservice is, what is wrong and what to do, and shows its NameNodes, "
                    + "its pool, the last failover and what is kept.",
            "Any NameNode that answers asks all others and the pool: this is its page /trefoil as text. Changes nothing."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:healthy",
            "1:degraded: it serves, but something is reported, or no more nodes may be lost",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers: nothing is known",
            "4:down: clients are not served"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil status",
            "  hdfs trefoil status --nameservice ns1 --json | jq -r .verdict.sentence"
        })
public final class GroupStatusCommand implements Callable<Integer> {

    @Mixin
    private final GroupOptions options;

    public GroupStatusCommand(NameNodes nameNodes) {
        options = new GroupOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        GroupStatus status = options.queryStatus();
        GroupStatusText report = new GroupStatusText(status.document());
        options.print(status::json, report::text);
        switch (status.level()) {
            case "healthy":
                return ExitCode.FINE;
            case "down":
                return ExitCode.DOWN;
            default:
                return ExitCode.FINDING;
        }
    }
}
