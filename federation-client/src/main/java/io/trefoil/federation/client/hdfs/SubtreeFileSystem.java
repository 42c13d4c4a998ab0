/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import io.trefoil.client.hdfs.ClientSetting;
import io.trefoil.client.hdfs.state.SharedStates;
import io.trefoil.federation.client.hdfs.version.RoutedNameNode;
import io.trefoil.federation.client.hdfs.version.SubtreeView;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code FileSystem} of a federation that has a table of subtrees, for {@code fs.hdfs.impl}: it routes like
 * Hadoop's client for mount tables, and follows new versions of the table while it is open. For all other names it acts
 * as HDFS's own client.
 *
 * <p>Here it is opened and closed. Its calls are in the classes that it extends, by how they follow the table.
 *
 * <p>Thread-safe. A call that finds nothing costs one more call, to the nameservice that keeps the table.
 */
public final class SubtreeFileSystem extends CreatingFileSystem {

    private static final Logger LOG = LoggerFactory.getLogger(SubtreeFileSystem.class);

    /** The age of a version after which its directories count as open: a move opens them within a second, but hosts' clocks differ. */
    private static final Duration OPEN_AFTER = Duration.ofHours(1);

    /** The longest wait for a check, longer than a command takes between a seal and the version that follows it. */
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);

    /**
     * The setting for the interval at which Routers, and so this client, check for a newer table without a specific reason; the default is
     * the Routers'.
     */
    private static final String CACHE_TTL = "dfs.federation.router.cache.ttl";

    private static final long REFRESH_MILLIS = 60_000;
    private static final long MIN_REFRESH_MILLIS = 1_000;

    /**
     * The maximum number of earlier versions to read: more than commands make while a call waits, unless it waits for a long time, after
     * which older ones are open.
     */
    private static final int MAX_EARLIER_VERSIONS = 20;

    /** {@code FileSystem}'s value for a missing port. */
    private static final int NO_PORT = 0;

    private int defaultPort = HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT;
    private URI name;
    private RefreshingTable table;
    private final DistributedFileSystem keeper = new DistributedFileSystem();

    /** The routed client; null until it is first requested. Guarded by this. Guarded by this. */
    private DFSClient routed;

    /** Used by Hadoop; ready after {@link #initialize}. */
    public SubtreeFileSystem() {}

    /** Creates a file system that only knows its default port, for {@code FileContext}, which asks for the port before initialization. */
    static SubtreeFileSystem withPortOf(URI uri, Configuration conf) {
        SubtreeFileSystem fileSystem = new SubtreeFileSystem();
        if (mayHaveTable(uri, conf)) {
            fileSystem.defaultPort = NO_PORT;
        }
        return fileSystem;
    }

    /**
     * Whether a table may exist for a name. A nameservice never has one, nor does an address with a port; for other names,
     * the table states which name it belongs to.
     */
    private static boolean mayHaveTable(URI uri, Configuration conf) {
        return conf.get(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH) != null
                && uri.getAuthority() != null
                && uri.getPort() < 0
                && !DFSUtilClient.getNameServiceIds(conf).contains(uri.getAuthority());
    }

    /** Does not initialize the superclass: that would be a client of a NameNode of this name. */
    @Override
    @SuppressWarnings("deprecation") // the statistics that Hadoop's own client counts in
    public void initialize(URI uri, Configuration conf) throws IOException {
        setConf(conf);
        statistics = getStatistics(uri.getScheme(), getClass());
        name = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        if (mayHaveTable(uri, conf)) {
            defaultPort = NO_PORT;
            table = followTable(uri.getAuthority(), conf);
        } else {
            Configuration plain = new Configuration(conf);
            plain.unset(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
            table = RefreshingTable.fixed(SubtreeView.open(uri, plain));
        }
    }

    private RefreshingTable followTable(String authority, Configuration conf) throws IOException {
        Path directory = new Path(conf.get(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH));
        keeper.initialize(directory.toUri(), conf);
        // Hadoop takes the file of one version as well.
        boolean isDirectory = keeper.getFileStatus(directory).isDirectory();
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        // Streams and calls of an old version are told of changes that reads by a newer one have to see.
        Configuration shared = SharedStates.configurationForFileSystem(conf);
        Duration checkTimeout =
                ClientSetting.TIMEOUT.findWithSuffix(conf, authority).orElse(CHECK_TIMEOUT);
        RefreshingTable.Source source = new RefreshingTable.Source() {
            @Override
            public long lastChangeTime() throws IOException {
                return keeper.getFileStatus(directory).getModificationTime();
            }

            @Override
            public boolean versionExists(int version) throws IOException {
                return isDirectory && keeper.exists(file(version));
            }

            private Path file(int version) {
                return new Path(directory, "mount-table." + version + ".xml");
            }

            @Override
            public SubtreeView readNewest() throws IOException {
                try {
                    return user.doAs((PrivilegedExceptionAction<SubtreeView>) () -> SubtreeView.open(name, shared));
                } catch (InterruptedException e) {
                    throw (IOException)
                            new InterruptedIOException("interrupted while it read " + directory).initCause(e);
                }
            }

            @Override
            public List<Map<String, String>> earlierContents(SubtreeView version, long changedAt) {
                List<Map<String, String>> contents = new ArrayList<>();
                boolean isOld = System.currentTimeMillis() - changedAt > OPEN_AFTER.toMillis();
                if (isOld || !isDirectory) {
                    return contents;
                }
                int before = version.version() - 1;
                try {
                    while (before > 0 && contents.size() < MAX_EARLIER_VERSIONS) {
                        contents.add(content(before));
                        // Both times are of the nameservice's clock.
                        if (changedAt - madeAt(before) > checkTimeout.toMillis()) {
                            break;
                        }
                        before--;
                    }
                } catch (IOException | RuntimeException e) {
                    LOG.warn(
                            "Cannot read the subtree table just published: version={} dir={}; no action needed: "
                                    + "retrying",
                            before,
                            directory,
                            e);
                }
                return contents;
            }

            private Map<String, String> content(int version) throws IOException {
                Configuration content = new Configuration(false);
                try (InputStream in = keeper.open(file(version))) {
                    content.addResource(in);
                    return SubtreeView.parseContent(content);
                }
            }

            private long madeAt(int version) throws IOException {
                return keeper.getFileStatus(file(version)).getModificationTime();
            }
        };
        long refresh =
                Math.max(MIN_REFRESH_MILLIS, conf.getTimeDuration(CACHE_TTL, REFRESH_MILLIS, TimeUnit.MILLISECONDS));
        return RefreshingTable.follow(authority, source, Duration.ofMillis(refresh), checkTimeout);
    }

    /** The client; with a table, one whose calls go to the owners of their paths, or are refused: see {@link RoutedNameNode}. */
    @Override
    public synchronized DFSClient getClient() {
        if (table.isFixed()) {
            return table.currentView().getClient();
        }
        if (routed == null) {
            RoutedNameNode.Table owners = new RoutedNameNode.Table() {
                @Override
                public SubtreeView currentView() {
                    return table.currentView();
                }

                @Override
                public SubtreeView refreshedView() {
                    return table.refreshedView();
                }

                @Override
                public Object call(Path path, RoutedNameNode.OwnerCall call) throws IOException {
                    return table.create(path, (RefreshingTable.Call<Object>) call::call);
                }

                @Override
                public Object callFresh(Path path, RoutedNameNode.OwnerCall call) throws IOException {
                    return table.callFresh(path, (RefreshingTable.Call<Object>) call::call);
                }
            };
            try {
                routed = new DFSClient(null, RoutedNameNode.newProxy(owners), getConf(), statistics) {
                    /** The key provider of the routed client: HDFS's own method asks by the name of a nameservice, which this is not. */
                    @Override
                    public URI getKeyProviderUri() throws IOException {
                        return table.currentView().getKeyProviderUri();
                    }
                };
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return routed;
    }

    private synchronized void closeRouted() throws IOException {
        if (routed != null) {
            routed.close();
        }
    }

    /** Completes all files open for writing, whichever version opened them. */
    @Override
    public void close() throws IOException {
        if (table == null) {
            return;
        }
        closeRouted();
        table.closeOutputStreams();
        try {
            super.close();
        } finally {
            table.close();
            keeper.close();
        }
    }

    @Override
    public URI getUri() {
        return name;
    }

    @Override
    public String getScheme() {
        return HdfsConstants.HDFS_URI_SCHEME;
    }

    @Override
    public String toString() {
        return "DFS[" + name + "]";
    }

    @Override
    protected int getDefaultPort() {
        return defaultPort;
    }

    @Override
    RefreshingTable table() {
        return table;
    }

    @Override
    public void setWorkingDirectory(Path dir) {
        table.setWorkingDirectory(dir);
    }

    @Override
    public void setVerifyChecksum(boolean verifyChecksum) {
        table.setVerifyChecksum(verifyChecksum);
    }

    @Override
    public void setWriteChecksum(boolean writeChecksum) {
        table.setWriteChecksum(writeChecksum);
    }
}
