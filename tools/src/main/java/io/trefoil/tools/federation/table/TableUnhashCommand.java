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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil table unhash}: returns an empty hashed directory to its owner. */
@Command(
        name = "unhash",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Gives a hashed directory back to the owner of what contains it. It must be empty, and keeps owner and permission; for one"
                    + " that is in use the output says how to copy it. Its parts in the nameservices are sealed, so that clients with an"
                    + " older table create nothing in them.",
            "Needs the superuser of all nameservices concerned."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was done, or could be",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table unhash /warehouse/events"})
public final class TableUnhashCommand implements Callable<Integer> {

    @Mixin
    private final TableChangeRunner change;

    @Parameters(index = "0", paramLabel = "PATH", description = "The directory, as /warehouse/events.")
    private String path;

    @Option(
            names = "--with-copy",
            description =
                    "Have the copy of its files, PATH.copy at the owner, take the place of the owner's empty directory.")
    private boolean withCopy;

    public TableUnhashCommand(Installation installation) {
        change = new TableChangeRunner(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(path, TableChange::unhash, withCopy);
    }
}
