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

/** {@code trefoil table set}: gives an entry another owner. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Gives an entry of the table to another nameservice. The folder must be there at the new owner, and must be empty or absent"
                    + " at the old one, where it is sealed: what clients with an older table would create there is refused.",
            "Needs the superuser of both nameservices."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was done, or could be",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table set /warehouse/logs ns3"})
public final class TableSetCommand implements Callable<Integer> {

    @Mixin
    private final TableChangeRunner change;

    @Parameters(index = "0", paramLabel = "PATH", description = "The subtree, as /warehouse/logs.")
    private String path;

    @Parameters(index = "1", paramLabel = "NAMESERVICE", description = "Its new owner.")
    private String nameservice;

    public TableSetCommand(Installation installation) {
        change = new TableChangeRunner(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(path, subtree -> TableChange.set(subtree, nameservice));
    }
}
