/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The NameNodes and DataNodes of a nameservice, each of which has a configuration of its own that names NameNodes. Thread-safe. */
public interface GroupServers {

    /** The NameNodes by the configuration of this command: where they serve clients, as {@code host:port}, by id. */
    Map<String, String> configured();

    /**
     * The NameNodes that a NameNode names to clients; it is asked only.
     *
     * @throws IOException if it does not answer, or knows no such question
     */
    Map<String, String> named(String nameNode) throws IOException;

    /**
     * Has a NameNode read its configuration anew.
     *
     * @return whom it names then
     * @throws IOException if it does not answer or refuses; the text says why
     */
    Map<String, String> reread(String nameNode) throws IOException;

    /**
     * The live DataNodes as one NameNode sees them.
     *
     * @throws IOException if it does not answer
     */
    List<SeenDataNode> dataNodes(String nameNode) throws IOException;

    /**
     * Has a DataNode read its configuration anew. That it answers does not mean that anything in it has changed.
     *
     * @throws IOException if it does not answer or refuses
     */
    void refresh(SeenDataNode dataNode) throws IOException;

    /**
     * The NameNodes that a DataNode reports to, or tries to: by id those of this nameservice; by address, as {@code host:port}, those that
     * the configuration of this command does not name; without those of other nameservices.
     *
     * @throws IOException if its page does not answer
     */
    Set<String> nameNodesOf(SeenDataNode dataNode) throws IOException;
}
