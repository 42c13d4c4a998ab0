/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableChange;
import io.trefoil.tools.cluster.Installation;
import picocli.CommandLine.Command;

/** {@code trefoil table add}: gives a subtree its own owner. */
@Command(
        name = "add",
        description = {
            "Gives a subtree to a nameservice of its own. The directory must be there at the new owner, and must be empty or absent at the"
                    + " old one, where it is sealed: what clients with an older table would create there is refused.",
            "Needs the superuser of both nameservices."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil table add /warehouse/logs ns2 --dry-run",
            "  hdfs trefoil table add /warehouse/logs ns2"
        })
public final class TableAddCommand extends OwnerCommand {

    public TableAddCommand(Installation installation) {
        super(installation);
    }

    @Override
    TableChange change(SubtreePath subtree, String owner) {
        return TableChange.add(subtree, owner);
    }
}
