/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.CommittedLog;
import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.checkpoint.hdfs.undelete.Undelete;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.PoolAdminClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The commands' access to the cluster in which they run. */
public interface Installation {

    /**
     * Finds a journal.
     *
     * @param wanted an {@code ssp://} URI, or the name of a journal in the configuration; empty for its only
     *     journal
     * @throws IllegalArgumentException if there is no such journal, or if none was named and there are several
     */
    JournalLocation find(Optional<String> wanted);

    /**
     * What the store of a journal reports that no pool keeps; empty if a pool keeps it, or there is no such journal.
     *
     * @param wanted as in {@link #find}
     * @throws IllegalArgumentException if the configuration of the store is wrong
     * @throws IOException if the store does not answer
     */
    Optional<StoreStatus> readStoreStatus(Optional<String> wanted) throws IOException;

    /**
     * The guarantees of a journal that this host's settings give up, each as a sentence; empty if there are none.
     *
     * @throws IllegalArgumentException if a setting is wrong
     */
    List<String> waivedGuarantees();

    /** The release of Hadoop on the class path, for human readers. */
    String hadoopVersion();

    /** The classes and members used by our jars that the Hadoop on the class path lacks; empty if it has all of them. */
    Collection<MissingMember> missingHadoopMembers();

    /** A client that queries a journal's nodes; must be closed. */
    PoolAdminClient openAdminClient(JournalLocation location, Duration timeout);

    /** The committed entries of a journal, of every kind. */
    CommittedLog openCommittedLog(JournalLocation location) throws IOException;

    /**
     * The objects of an archive.
     *
     * @param directory a URI that Hadoop knows, or a path of its default file system
     * @throws IllegalArgumentException if there is no such file system
     */
    ArchiveStore openArchive(String directory);

    /**
     * Loads the namespace in a name directory, and lists a path of it.
     *
     * @throws java.io.FileNotFoundException if there is no such path
     */
    List<HistoricalFile> list(Path nameDirectory, String path) throws IOException;

    /**
     * Loads the namespace in a name directory, and lists a path and everything below it.
     *
     * @throws java.io.FileNotFoundException if there is no such path
     */
    List<HistoricalFile> listBelow(Path nameDirectory, String path) throws IOException;

    /**
     * Serves the namespace in a name directory for reading, by a stock NameNode in this process; must be closed.
     *
     * @param rpc where it listens for clients; port 0 is any free one
     * @param http where its web page is
     */
    ServedNamespace serve(Path nameDirectory, InetSocketAddress rpc, InetSocketAddress http) throws IOException;

    /**
     * Compares a nameservice with a namespace of its past; must be closed.
     *
     * @param pastNamespace what {@link #serve} gave
     */
    Undelete openUndelete(String nameservice, ServedNamespace pastNamespace) throws IOException;

    /**
     * Has the namespace in a name directory assign ids and generation stamps that no earlier NameNode can have assigned.
     *
     * @param usedCounters the highest ids and stamps of its edits; those of its image are read
     * @param newest the highest incarnation of the journal that is known
     */
    void reserveIds(Path nameDirectory, NamespaceCounters usedCounters, Incarnation newest) throws IOException;

    /** The highest ids and stamps that an image has. */
    NamespaceCounters countersOf(Path image) throws IOException;

    /** The edits of a journal, in a form for other programs. */
    EditsSource openEdits(JournalLocation location) throws IOException;

    /**
     * Whether the shared edits of this host's NameNode are an {@code ssp://} journal; false if there is none.
     *
     * @throws IllegalArgumentException if several NameNodes have addresses of this host
     */
    boolean isPoolConfigured();

    /** The {@code ssp://} journal that is a NameNode's shared edits, wherever it runs; empty if its shared edits are another kind. */
    Optional<JournalLocation> journalOf(String nameservice, String nameNode);

    /**
     * The NameNode configured for this host.
     *
     * @throws IllegalArgumentException if there is none, or it has no Trefoil journal
     */
    LocalNameNode localNameNode();

    /**
     * The local directories in which the NameNode of this host keeps images or edits; one may be there twice.
     *
     * @throws IOException if the configuration has several shared directories
     */
    List<Path> storageDirectories(LocalNameNode nameNode) throws IOException;

    /**
     * Logs this process in as the NameNode of this host, with its keytab, if HDFS uses Kerberos; otherwise does nothing. Needed because a
     * process that runs before a NameNode starts finds no ticket.
     *
     * @throws IOException if the login fails
     */
    void logInAsLocalNameNode() throws IOException;

    /**
     * The pool node and NameNode of this host, for a promotion; must be closed.
     *
     * @throws IllegalArgumentException if the configuration does not say where they are
     * @throws IOException if one of the two runs, or there is nothing to promote
     */
    JournalPromoter openPromotion(LocalNameNode nameNode) throws IOException;

    /**
     * The requirements of the configuration on this host.
     *
     * @throws IllegalArgumentException if this host has no NameNode with a Trefoil journal, or something is missing
     */
    HostPlan hostPlan();

    /**
     * Accepts orders about a journal's pins.
     *
     * @throws IllegalArgumentException if the configuration of the journal's NameNodes is wrong
     */
    PinService openPinService(JournalLocation location, Duration timeout);

    /**
     * The checkpoints of the cluster's nameservices.
     *
     * @throws IllegalArgumentException if the configuration does not describe nameservices with Trefoil journals
     */
    Checkpoints checkpoints();

    /** Receives the progress of operations. */
    Progress progress();

    /** The facts that this host states about itself. */
    HostFacts hostFacts();

    /** The NameNodes of the cluster's nameservices. */
    NameNodes nameNodes();

    /**
     * A part provided by another feature; empty in a build without it.
     *
     * @param port what the feature's commands know it as
     */
    <T> Optional<T> findPart(Class<T> port);
}
