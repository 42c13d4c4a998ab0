/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableChange;
import io.trefoil.tools.cluster.Installation;
import picocli.CommandLine.Command;

/** {@code trefoil table set}: gives an entry another owner. */
@Command(
        name = "set",
        description = {
            "Gives an entry of the table to another nameservice. The directory must be there at the new owner, and must be empty or absent"
                    + " at the old one, where it is sealed: what clients with an older table would create there is refused.",
            "Needs the superuser of both nameservices."
        },
        footer = {"", "Examples:", "  hdfs trefoil table set /warehouse/logs ns3"})
public final class TableSetCommand extends OwnerCommand {

    public TableSetCommand(Installation installation) {
        super(installation);
    }

    @Override
    TableChange change(SubtreePath subtree, String owner) {
        return TableChange.set(subtree, owner);
    }
}
