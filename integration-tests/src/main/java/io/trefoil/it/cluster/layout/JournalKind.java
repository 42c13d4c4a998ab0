/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** A kind of journal, which carries the edits from the active NameNode to the others. */
public interface JournalKind {
    /** The stock Quorum Journal Manager with three JournalNodes, edits also kept by each NameNode. */
    static QuorumJournal qjm() {
        return new QuorumJournal(false);
    }

    /** Our pool, one node embedded in each NameNode, edits also kept by each NameNode. */
    static SspJournalKind ssp() {
        return new SspJournalKind(false, 0, 0);
    }

    /** No shared journal: the first NameNode alone, without high availability, with its edits in its own directory. */
    static JournalKind local() {
        return new LocalEditsJournal();
    }

    /**
     * Returns the journal with the given name.
     *
     * @param name {@code qjm} or {@code ssp}
     */
    static JournalKind ofName(String name) {
        return switch (name) {
            case "qjm" -> qjm();
            case "ssp" -> ssp();
            default -> throw new IllegalArgumentException("no journal named " + name + "; there are qjm and ssp");
        };
    }

    /** A short name for messages. */
    String name();

    /** Whether the kind needs our jars. */
    boolean needsOwnJars();

    /** The names of the journal's own servers; empty if it runs inside them. */
    List<String> serverNames();

    /** Returns the number of pool nodes named in the configuration; 0 if the journal has none. */
    default int poolNodeCount(ClusterLayout layout) {
        return 0;
    }

    /** The main class of those servers. */
    String serverMainClass();

    /**
     * The settings of one server of the journal.
     *
     * @param server one of {@link #serverNames}
     */
    Map<String, String> serverProperties(ClusterLayout layout, String server);

    /** Returns the address on which a server of the journal accepts connections once it is ready, as {@code host:port}. */
    String serverAddress(ClusterLayout layout, String server);

    /** The settings of every process of the cluster. */
    Map<String, String> sharedProperties(ClusterLayout layout);

    /** The settings of a single NameNode. */
    Map<String, String> nameNodeProperties(ClusterLayout layout, String nameNode);
}
