/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.cluster;

import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The subtree commands' access to the cluster in which they run. */
public interface Federation {

    /** @throws IllegalStateException if the installation has none, as there are no such commands then */
    static Federation of(Installation installation) {
        return installation
                .findPart(Federation.class)
                .orElseThrow(() -> new IllegalStateException("This installation does not know subtrees"));
    }

    /**
     * The table of subtrees; must be closed.
     *
     * @param directory the URI of the directory that keeps the table; empty for the one in the configuration
     * @throws IllegalArgumentException if there is none, or it is not valid
     */
    TableStore openTable(Optional<String> directory);

    /**
     * Moves of subtrees between the nameservices of a table; must be closed.
     *
     * @param table from {@link #openTable}; stays open
     */
    SubtreeMoves openMoves(TableStore table);

    /** The sizes of subtrees of the cluster's nameservices; must be closed. */
    SubtreeSize.Source openSizes();

    /**
     * Routers of router-based federation; must be closed.
     *
     * @param addresses where their administration listens; empty for those in the configuration
     * @throws IllegalArgumentException if an address is not valid, or this Hadoop has no Routers
     */
    Routers openRouters(List<String> addresses) throws IOException;
}
