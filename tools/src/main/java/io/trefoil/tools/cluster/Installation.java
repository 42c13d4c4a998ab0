/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.promote.JournalPromotion;
import io.trefoil.journal.pool.client.PoolInquiry;
import io.trefoil.tools.table.mirror.Routers;
import io.trefoil.tools.table.model.TableStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the command needs from the cluster that it runs in. */
public interface Installation {

    /**
     * Finds a journal.
     *
     * @param wanted an {@code ssp://} URI, or the name of one of the configuration's journals; empty for the only one
     *     that there is in the configuration
     * @throws IllegalArgumentException if there is no such journal, or there are several to choose from
     */
    JournalPlace find(Optional<String> wanted);

    /**
     * What this host's settings give up of what a journal promises, a sentence each; empty if nothing.
     *
     * @throws IllegalArgumentException if one of them is wrong
     */
    List<String> givenUp();

    /** Questions to a journal's nodes; to be closed. */
    PoolInquiry ask(JournalPlace place, Duration patience);

    /** The edits of a journal, for other programs to read. */
    EditsSource edits(JournalPlace place) throws IOException;

    /**
     * The NameNode that is configured for this host.
     *
     * @throws IllegalArgumentException if there is none, or none with a journal of ours
     */
    LocalNameNode localNameNode();

    /**
     * Makes this process the NameNode of this host, by its keytab, where HDFS uses Kerberos; does nothing elsewhere. What runs before a
     * NameNode starts finds no ticket.
     *
     * @throws IOException if the login fails
     */
    void logInAsLocalNameNode() throws IOException;

    /**
     * This host's pool node and NameNode, to be promoted; to be closed.
     *
     * @throws IllegalArgumentException if the configuration does not say where they are
     * @throws IOException if one of the two runs, or there is nothing to promote
     */
    JournalPromotion promotion(LocalNameNode nameNode) throws IOException;

    /**
     * What the configuration wants of this host.
     *
     * @throws IllegalArgumentException if it is the host of no NameNode with a journal of ours, or something is missing
     */
    HostPlan plan();

    /**
     * Who takes orders about a journal's pins.
     *
     * @throws IllegalArgumentException if the configuration of its NameNodes is wrong
     */
    PinService pins(JournalPlace place, Duration patience);

    /**
     * The checkpoints of its nameservices.
     *
     * @throws IllegalArgumentException if the configuration is not one of nameservices with journals of ours
     */
    Checkpoints checkpoints();

    /** Who is told how far an operation is. */
    Progress progress();

    /** The NameNodes of its nameservices. */
    NameNodes nameNodes();

    /**
     * The table of subtrees; to be closed.
     *
     * @param folder the URI of the folder that keeps it; empty for that of the configuration
     * @throws IllegalArgumentException if there is none, or it cannot be
     */
    TableStore subtrees(Optional<String> folder);

    /**
     * Routers of router-based federation; to be closed.
     *
     * @param addresses where their administration listens; empty for that of the configuration
     * @throws IllegalArgumentException if one of them is none, or this Hadoop has no Routers
     */
    Routers routers(List<String> addresses) throws IOException;
}
