/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.TableChange;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil table hash}: spreads the files of a directory over several nameservices. */
@Command(
        name = "hash",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Spreads the files of a directory over several nameservices by their names. The directory must be empty, and keeps its owner"
                    + " and permission; at its owner it is sealed, so that clients that cannot follow create nothing in it. The"
                    + " nameservices of a hashed directory cannot be changed; unhash gives it back when it is empty.",
            "Needs the superuser of all nameservices concerned."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was done, or could be",
            "1:refused, or it could not be done; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil table hash /warehouse/events ns1,ns2,ns3 --dry-run",
            "  hdfs trefoil table hash /warehouse/events ns1,ns2,ns3"
        })
public final class TableHashCommand implements Callable<Integer> {

    @Mixin
    private final TableChangeRunner change;

    @Parameters(index = "0", paramLabel = "PATH", description = "The directory, as /warehouse/events.")
    private String path;

    @Parameters(
            index = "1",
            paramLabel = "NAMESERVICES",
            split = ",",
            description = "Two or more, with commas between them.")
    private List<String> nameservices;

    public TableHashCommand(Installation installation) {
        change = new TableChangeRunner(installation);
    }

    @Override
    public Integer call() throws IOException {
        return change.run(path, subtree -> TableChange.hash(subtree, nameservices));
    }
}
