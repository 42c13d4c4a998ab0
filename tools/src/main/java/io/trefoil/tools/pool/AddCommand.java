/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil journal add}: adds a member. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes a pool node a voting member: it is given storage, caught up, and votes when it is in sync.",
            "With --learner it only receives, as a replica at another site, until it is added without --learner.",
            "The node must be running. A node that was removed once is taken in again, with new storage."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done, or was before",
            "1:refused, or not done in time; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil journal add host4.example.com:8487",
            "  hdfs trefoil journal add --learner far.example.com:8487"
        })
public final class AddCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Option(
            names = "--learner",
            description = "It never votes, no writer waits for it, and it does not count for any majority.")
    private boolean learner;

    @Parameters(paramLabel = "HOST:PORT", description = "Where the pool node listens.")
    private NodeAddress node;

    public AddCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(options, changes -> learner ? changes.addLearner(node) : changes.add(node));
    }
}
