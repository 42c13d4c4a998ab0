/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation;

import io.trefoil.tools.cluster.CommandPlugin;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.subtree.SubtreeCommand;
import io.trefoil.tools.federation.table.TableCommand;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** {@code trefoil table} and {@code trefoil subtree}. */
public final class FederationCommands implements CommandPlugin {

    @Override
    public List<CommandLine> newCommandLines(Installation installation) {
        return Arrays.asList(TableCommand.newCommandLine(installation), SubtreeCommand.newCommandLine(installation));
    }
}
