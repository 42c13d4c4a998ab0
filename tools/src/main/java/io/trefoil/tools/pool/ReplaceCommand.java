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
import picocli.CommandLine.Parameters;

/** {@code trefoil journal replace}: replaces a member with another. */
@Command(
        name = "replace",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes one pool node a voting member and removes another one, never with fewer that can vote in "
                    + "between.",
            "For a host that is gone for good, or that is to go. A node that lost its disk needs no command."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done, or was before",
            "1:refused, or not done in time; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal replace host3.example.com:8487 host4.example.com:8487"})
public final class ReplaceCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(
            index = "0",
            paramLabel = "OLD",
            description = "The member to remove, by its address or the id of its storage.")
    private String leaving;

    @Parameters(index = "1", paramLabel = "HOST:PORT", description = "Where the new pool node listens.")
    private NodeAddress joining;

    public ReplaceCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(options, changes -> changes.replace(leaving, joining));
    }
}
