/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.TableChange;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil table remove}: removes an entry. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Removes an entry: the subtree goes back to the owner of what contains it. The directory must be there at that owner, and must be"
                    + " empty or absent at the one that has it, where it is sealed.",
            "Needs the superuser of both nameservices."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was done, or could be",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table remove /warehouse/logs"})
public final class TableRemoveCommand implements Callable<Integer> {

    @Mixin
    private final TableChangeRunner change;

    @Parameters(index = "0", paramLabel = "PATH", description = "The subtree, as /warehouse/logs.")
    private String path;

    public TableRemoveCommand(Installation installation) {
        change = new TableChangeRunner(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(path, TableChange::remove);
    }
}
