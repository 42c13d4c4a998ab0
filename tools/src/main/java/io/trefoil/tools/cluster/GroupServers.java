/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The NameNodes and DataNodes of a nameservice. Each has a configuration of its own that names NameNodes. Thread-safe. */
public interface GroupServers {

    /** The NameNodes in this command's configuration: their client addresses, as {@code host:port}, by id. */
    Map<String, String> configuredNameNodes();

    /**
     * The NameNodes that a NameNode advertises to clients; a query that changes nothing.
     *
     * @throws IOException if it does not answer, or does not know the question
     */
    Map<String, String> knownNameNodes(String nameNode) throws IOException;

    /**
     * Has a NameNode reread its configuration.
     *
     * @return the NameNodes that it names afterwards
     * @throws IOException if it does not answer or refuses; the text says why
     */
    Map<String, String> refreshNameNode(String nameNode) throws IOException;

    /**
     * The live DataNodes, as seen by one NameNode.
     *
     * @throws IOException if it does not answer
     */
    List<ReportedDataNode> dataNodes(String nameNode) throws IOException;

    /**
     * Has a DataNode reread its configuration. An answer does not mean that anything in the DataNode has changed.
     *
     * @throws IOException if it does not answer or refuses
     */
    void refreshDataNode(ReportedDataNode dataNode) throws IOException;

    /**
     * The NameNodes that a DataNode reports to, or tries to report to: those of this nameservice by id, and those that this command's
     * configuration does not name by address, as {@code host:port}. Leaves out those of other nameservices.
     *
     * @throws IOException if the DataNode's page does not answer
     */
    Set<String> nameNodesOf(ReportedDataNode dataNode) throws IOException;
}
