/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil journal remove}: removes a member. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Removes a pool node from the members. It does not join again by itself until it is added.",
            "Refused for the last voter, for the node of the active NameNode, and if no majority would be in sync."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done, or was before",
            "1:refused, or not done in time; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal remove host4.example.com:8487"})
public final class RemoveCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(paramLabel = "HOST:PORT|ID", description = "The member, by its address or the id of its storage.")
    private String member;

    @Option(
            names = "--force",
            description = "Remove it even if fewer voters are left than trefoil.journal.replicas.min, for which a new "
                    + "active waits.")
    private boolean force;

    public RemoveCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(options, changes -> force ? changes.forceRemoval(member) : changes.remove(member));
    }
}
