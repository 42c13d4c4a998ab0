/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.CommittedLog;
import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.checkpoint.hdfs.CheckpointPlugin;
import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.checkpoint.hdfs.archive.FileSystemStore;
import io.trefoil.checkpoint.hdfs.archive.HistoricalListing;
import io.trefoil.checkpoint.hdfs.archive.JournalLog;
import io.trefoil.checkpoint.hdfs.archive.ReadOnlyNameNode;
import io.trefoil.checkpoint.hdfs.archive.SuccessorNamespace;
import io.trefoil.checkpoint.hdfs.undelete.HdfsUndelete;
import io.trefoil.checkpoint.hdfs.undelete.Undelete;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.ha.hdfs.MamsPlugin;
import io.trefoil.journal.hdfs.JournalProvider;
import io.trefoil.journal.hdfs.SspJournalManager;
import io.trefoil.journal.hdfs.config.ConfiguredJournals;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.config.NodeConfiguration;
import io.trefoil.journal.hdfs.config.PoolAuthentication;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.TlsSettingsReader;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.pin.RemotePinService;
import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.EditsSource;
import io.trefoil.tools.cluster.HostFacts;
import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.LocalNameNode;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.TerminalProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;

/**
 * Journals and NameNodes according to Hadoop's configuration.
 *
 * <p>Uses {@code DFSUtil.getNamenodeNameServiceId}, {@code HAUtil.getNameNodeId}, {@code
 * NameNode.initializeGenericKeys}, {@code FSNamesystem.getSharedEditsDirs}, {@code DFSUtilClient.getNNAddress}, {@code
 * getNameNodeIds}, {@code getNameServiceIds}, {@code NamespaceInfo}, {@code SecurityUtil.login}.
 */
final class HadoopInstallation implements Installation {
    private static final String SMART_CLIENT = "io.trefoil.client.hdfs.SmartFailoverProxyProvider";

    private final Configuration conf;

    HadoopInstallation(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public String hadoopVersion() {
        return VersionInfo.getVersion();
    }

    @Override
    public SortedSet<MissingMember> missingHadoopMembers() {
        SortedSet<MissingMember> missing = new TreeSet<>();
        missing.addAll(SspJournalManager.hadoopLinkage().missingMembers());
        missing.addAll(MamsPlugin.hadoopLinkage().missingMembers());
        missing.addAll(new HadoopLinkage(CheckpointPlugin.class).missingMembers());
        missing.addAll(missingClientMembers());
        for (InstallationPlugin<?> part : installationPlugins()) {
            missing.addAll(part.missingHadoopMembers());
        }
        return missing;
    }

    /** The missing members that the smart client uses; its jar is separate, and a host may lack it. */
    private static SortedSet<MissingMember> missingClientMembers() {
        try {
            return new HadoopLinkage(
                            Class.forName(SMART_CLIENT, false, HadoopInstallation.class.getClassLoader()),
                            // Its class CallIds has something else where they are missing.
                            "org.apache.hadoop.ipc.Client.getCallId()",
                            "org.apache.hadoop.ipc.Client.getExternalHandler()",
                            "org.apache.hadoop.ipc.Client.getRetryCount()",
                            "org.apache.hadoop.ipc.Client.setCallIdAndRetryCountUnprotected(Integer, int, Object)")
                    .missingMembers();
        } catch (ClassNotFoundException e) {
            return new TreeSet<>();
        }
    }

    @Override
    public JournalLocation find(Optional<String> wanted) {
        if (wanted.isPresent()
                && wanted.get().contains(":")
                && !findStored(wanted).isPresent()) {
            return locationOf(PoolUri.parse(URI.create(wanted.get()), conf));
        }
        List<PoolUri> configured = ConfiguredJournals.of(conf);
        List<PoolUri> fitting = new ArrayList<>();
        for (PoolUri uri : configured) {
            if (!wanted.isPresent() || wanted.get().equals(uri.journal().text())) {
                fitting.add(uri);
            }
        }
        if (fitting.size() == 1) {
            return locationOf(fitting.get(0));
        }
        Optional<StoredJournal> stored = findStored(wanted);
        if (stored.isPresent()) {
            throw new IllegalArgumentException("The journal " + stored.get().uri
                    + " is in no pool, and has no pool nodes that this command could ask; 'hdfs trefoil journal status'"
                    + " shows what keeps it");
        }
        throw new IllegalArgumentException("Wanted "
                + wanted.map(name -> "one journal named '" + name + "'").orElse("one journal") + " in "
                + DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY + " of the configuration, found "
                + (configured.isEmpty()
                        ? "none; name it with --journal, or is this another cluster's configuration?"
                                + " HADOOP_CONF_DIR or -conf FILE says which is read"
                        : configured + "; name it with --journal"));
    }

    @Override
    public Optional<StoreStatus> readStoreStatus(Optional<String> wanted) throws IOException {
        Optional<StoredJournal> stored =
                wanted.isPresent() || ConfiguredJournals.of(conf).isEmpty() ? findStored(wanted) : Optional.empty();
        return stored.isPresent()
                ? stored.get()
                        .provider
                        .find(stored.get().conf, stored.get().uri, new NamespaceInfo())
                        .open()
                        .storeStatus()
                : Optional.empty();
    }

    /** The first NameNode's journal that is in no pool, and that is wanted. */
    private Optional<StoredJournal> findStored(Optional<String> wanted) {
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                Configuration resolved = resolveConfiguration(conf, nameservice, nameNode);
                List<URI> shared = FSNamesystem.getSharedEditsDirs(resolved);
                Optional<JournalProvider> provider =
                        JournalProvider.of(shared).filter(one -> !one.scheme().equals(PoolUri.SCHEME));
                if (provider.isPresent() && isWanted(wanted, shared.get(0), provider.get())) {
                    return Optional.of(new StoredJournal(resolved, shared.get(0), provider.get()));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isWanted(Optional<String> wanted, URI uri, JournalProvider provider) {
        return !wanted.isPresent()
                || wanted.get().equals(uri.toString())
                || wanted.get().equals(provider.journalOf(uri, conf).text());
    }

    /** A journal that something else than a pool keeps, as one of its NameNodes has it. */
    private static final class StoredJournal {
        private final Configuration conf;
        private final URI uri;
        private final JournalProvider provider;

        StoredJournal(Configuration conf, URI uri, JournalProvider provider) {
            this.conf = conf;
            this.uri = uri;
            this.provider = provider;
        }
    }

    @Override
    public List<String> waivedGuarantees() {
        return NodeConfiguration.waivedGuarantees(conf);
    }

    @Override
    public Checkpoints checkpoints() {
        return new HdfsCheckpoints(conf, progress());
    }

    @Override
    @SuppressWarnings("SystemConsoleNull")
    public Progress progress() {
        // Without a terminal no user watches. Progress goes to standard error, so that it does not mix with results.
        return System.console() == null
                ? Progress.SILENT
                : new TerminalProgress(
                        new PrintWriter(new OutputStreamWriter(System.err, Charset.defaultCharset()), true),
                        System::nanoTime);
    }

    @Override
    public HostFacts hostFacts() {
        return new LocalHostFacts(conf, System.getenv());
    }

    @Override
    public NameNodes nameNodes() {
        return new ConfiguredNameNodes(conf);
    }

    @SuppressWarnings("rawtypes")
    private static ServiceLoader<InstallationPlugin> installationPlugins() {
        return ServiceLoader.load(InstallationPlugin.class, HadoopInstallation.class.getClassLoader());
    }

    @Override
    public <T> Optional<T> findPart(Class<T> port) {
        for (InstallationPlugin<?> part : installationPlugins()) {
            if (part.portClass() == port) {
                return Optional.of(port.cast(part.create(conf)));
            }
        }
        return Optional.empty();
    }

    @Override
    public PinService openPinService(JournalLocation location, Duration timeout) {
        RemotePinService orders = RemotePinService.of(conf, location.journal(), timeout);
        orders.requireConfigured();
        return orders;
    }

    @Override
    public boolean isPoolConfigured() {
        String nameservice = localNameservice();
        return PoolUri.isPool(FSNamesystem.getSharedEditsDirs(resolveConfiguration(
                conf, nameservice, localNameNodeId(nameservice).orElse(null))));
    }

    @Override
    public Optional<JournalLocation> journalOf(String nameservice, String nameNode) {
        List<URI> shared = FSNamesystem.getSharedEditsDirs(resolveConfiguration(conf, nameservice, nameNode));
        return PoolUri.isPool(shared) ? Optional.of(locationOf(PoolUri.parse(shared.get(0), conf))) : Optional.empty();
    }

    /** The nameservice of this host's NameNode; null if there is none, as in HDFS. */
    private String localNameservice() {
        return resolveLocalName(() -> DFSUtil.getNamenodeNameServiceId(conf));
    }

    /** The name of this host's NameNode in its group; empty if it has none. */
    private Optional<String> localNameNodeId(String nameservice) {
        if (nameservice == null || !NameNodeAddresses.isHighlyAvailable(conf, nameservice)) {
            return Optional.empty();
        }
        String name = resolveLocalName(() -> HAUtil.getNameNodeId(conf, nameservice));
        Collection<String> known = DFSUtilClient.getNameNodeIds(conf, nameservice);
        if (name != null && !known.contains(name)) {
            throw new IllegalArgumentException(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY + " is " + name
                    + ", which is none of dfs.ha.namenodes." + nameservice + ", " + known);
        }
        return Optional.ofNullable(name);
    }

    private static String resolveLocalName(Supplier<String> name) {
        try {
            return name.get();
        } catch (HadoopIllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Several NameNodes of the configuration have addresses of this host; say which is meant,"
                            + " before the command: -D dfs.nameservice.id=... -D dfs.ha.namenode.id=...",
                    e);
        }
    }

    /** A configuration as read by one NameNode, with the settings for it alone; HDFS expects null for missing names. */
    static Configuration resolveConfiguration(Configuration conf, String nameservice, String nameNode) {
        Configuration resolved = new Configuration(conf);
        NameNode.initializeGenericKeys(resolved, nameservice, nameNode);
        return resolved;
    }

    @Override
    public LocalNameNode localNameNode() {
        String nameservice = localNameservice();
        String nameNode = localNameNodeId(nameservice)
                .orElseThrow(() -> new IllegalArgumentException(
                        "No NameNode in dfs.ha.namenodes.* of the configuration has an address of this host: type this"
                                + " on the host of one, or say which is meant, before the command: -D"
                                + " dfs.ha.namenode.id=..."));
        Configuration resolved = resolveConfiguration(conf, nameservice, nameNode);
        List<URI> shared = FSNamesystem.getSharedEditsDirs(resolved);
        if (!PoolUri.isPool(shared)) {
            throw new IllegalArgumentException(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY + " of " + nameNode
                    + " is " + (shared.isEmpty() ? "not set" : shared) + ": it has no ssp:// journal"
                    + (shared.size() > 1 ? "; its pool nodes are separated by ';', not by ','" : ""));
        }
        List<Path> nameDirectories = NameNodeSettings.nameDirectories(resolved);
        if (nameDirectories.isEmpty()) {
            throw new IllegalArgumentException(
                    DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY + " of " + nameNode + " names no local directory");
        }
        return LocalNameNode.of(nameNode, locationOf(PoolUri.parse(shared.get(0), conf)), nameDirectories);
    }

    @Override
    public List<Path> storageDirectories(LocalNameNode nameNode) throws IOException {
        List<Path> directories = new ArrayList<>(nameNode.nameDirectories());
        directories.addAll(editsDirectories(nameNode));
        return directories;
    }

    private List<Path> editsDirectories(LocalNameNode nameNode) throws IOException {
        return NameNodeSettings.editsDirectories(
                resolveConfiguration(conf, DFSUtil.getNamenodeNameServiceId(conf), nameNode.name()));
    }

    /** Logs in like HDFS's {@code -bootstrapStandby}. */
    @Override
    public void logInAsLocalNameNode() throws IOException {
        String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
        Configuration resolved = resolveConfiguration(conf, nameservice, HAUtil.getNameNodeId(conf, nameservice));
        UserGroupInformation.setConfiguration(resolved);
        SecurityUtil.login(
                resolved,
                DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY,
                DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
                DFSUtilClient.getNNAddress(resolved).getHostName());
    }

    @Override
    public JournalPromoter openPromotion(LocalNameNode nameNode) throws IOException {
        return JournalPromoter.open(
                conf,
                nameNode.journal().journal(),
                nameNode.nameDirectories(),
                editsDirectories(nameNode),
                ImageCounters::read);
    }

    @Override
    public HostPlan hostPlan() {
        return new ConfiguredHost(conf, localNameservice(), localNameNode()).plan();
    }

    private static JournalLocation locationOf(PoolUri uri) {
        return JournalLocation.of(uri.journal(), uri.addresses());
    }

    @Override
    public PoolAdminClient openAdminClient(JournalLocation location, Duration timeout) {
        try {
            return PoolAdminClient.of(
                    location.journal(),
                    PoolAuthentication.of(conf, location.journal()),
                    TlsSettingsReader.read(conf),
                    timeout);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public EditsSource openEdits(JournalLocation location) throws IOException {
        return new ExportedEdits(EditsExport.of(
                location.journal(),
                location.addresses(),
                PoolAuthentication.of(conf, location.journal()),
                TlsSettingsReader.read(conf)));
    }

    @Override
    public CommittedLog openCommittedLog(JournalLocation location) throws IOException {
        return new JournalLog(PoolProcess.journal(PoolSettings.builder()
                .journal(location.journal())
                .addresses(location.addresses())
                .minReplicas(1)
                .authentication(PoolAuthentication.of(conf, location.journal()))
                .tls(TlsSettingsReader.read(conf))
                .build()));
    }

    @Override
    public ArchiveStore openArchive(String directory) {
        try {
            return FileSystemStore.of(conf, directory);
        } catch (IOException e) {
            throw new IllegalArgumentException("Wanted the directory of an archive; " + e.getMessage(), e);
        }
    }

    @Override
    public List<HistoricalFile> list(Path nameDirectory, String path) throws IOException {
        return HistoricalListing.list(conf, nameDirectory, path);
    }

    @Override
    public List<HistoricalFile> listBelow(Path nameDirectory, String path) throws IOException {
        return HistoricalListing.listRecursively(conf, nameDirectory, path);
    }

    @Override
    public ServedNamespace serve(Path nameDirectory, InetSocketAddress rpc, InetSocketAddress http) throws IOException {
        return ReadOnlyNameNode.start(conf, nameDirectory, rpc, http);
    }

    @Override
    public Undelete openUndelete(String nameservice, ServedNamespace pastNamespace) throws IOException {
        return HdfsUndelete.open(conf, URI.create(pastNamespace.uri()), URI.create("hdfs://" + nameservice));
    }

    @Override
    public void reserveIds(Path nameDirectory, NamespaceCounters usedCounters, Incarnation newest) throws IOException {
        SuccessorNamespace.prepare(conf, nameDirectory, usedCounters, System.currentTimeMillis(), newest);
    }

    @Override
    public NamespaceCounters countersOf(Path image) throws IOException {
        return ImageCounters.read(image);
    }

    /** The edits of a journal that was opened for this process alone. */
    private static final class ExportedEdits implements EditsSource {

        private final EditsExport export;

        ExportedEdits(EditsExport export) {
            this.export = export;
        }

        @Override
        public List<SegmentInfo> segments(long fromTxId) throws IOException {
            return export.segments(fromTxId);
        }

        @Override
        public String fileName(SegmentInfo segment) {
            return EditsExport.fileName(segment);
        }

        @Override
        public void write(SegmentInfo segment, OutputStream target) throws IOException {
            export.write(segment, target);
        }

        @Override
        public void close() throws IOException {
            PoolProcess.closeAll();
        }
    }
}
