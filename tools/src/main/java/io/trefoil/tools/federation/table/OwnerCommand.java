/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableChange;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that gives a subtree another owner. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was done, or could be",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        })
abstract class OwnerCommand implements Callable<Integer> {

    @Mixin
    private final TableChangeRunner change;

    @Parameters(index = "0", paramLabel = "PATH", description = "The subtree, as /warehouse/logs.")
    private String path;

    @Parameters(index = "1", paramLabel = "NAMESERVICE", description = "Its new owner.")
    private String nameservice;

    OwnerCommand(Installation installation) {
        change = new TableChangeRunner(installation);
    }

    /** Returns the changed table. */
    abstract TableChange change(SubtreePath subtree, String owner);

    @Override
    public final Integer call() throws IOException {
        return change.run(path, subtree -> change(subtree, nameservice));
    }
}
