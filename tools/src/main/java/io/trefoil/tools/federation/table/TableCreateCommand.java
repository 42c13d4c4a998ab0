/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.time.Clock;
import java.util.Collections;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil table create}: creates the first version. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Creates a table. Its first version gives everything to the nameservice that keeps it.",
            "Clients then name the federation in their paths, as hdfs://NAME/user/alice."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the table has its first version",
            "1:there is one already, or it could not be written",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil table create cluster --table hdfs://ns1/.trefoil/subtrees"})
public final class TableCreateCommand implements Callable<Integer> {

    @Mixin
    private final TableOptions options;

    @Parameters(
            paramLabel = "NAME",
            description =
                    "The name of the federation: letters, digits and '-', and not the name of a " + "nameservice.")
    private String name;

    @Spec
    private CommandSpec command;

    public TableCreateCommand(Installation installation) {
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (TableStore store = options.open()) {
            SubtreeTable first = createFirst(store);
            store.requireOwners(Collections.singleton(store.tableNameservice()));
            if (store.newest().isPresent()
                    || !store.append(TableRecord.of(
                            first,
                            "create " + name,
                            store.user(),
                            Clock.systemUTC().instant()))) {
                throw new TableRefusedException("There is a table in hdfs://" + store.tableNameservice()
                        + store.tableDirectory() + " already, of hdfs://"
                        + store.requireNewest().table().name());
            }
            options.print(() -> TableText.json(first), () -> TableText.text(first));
            return ExitCode.FINE;
        }
    }

    private SubtreeTable createFirst(TableStore store) {
        if (store.nameservices().contains(name)) {
            throw new ParameterException(
                    command.commandLine(), name + " is a nameservice; its own paths must stay what they are");
        }
        try {
            return SubtreeTable.first(name, store.tableNameservice());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
