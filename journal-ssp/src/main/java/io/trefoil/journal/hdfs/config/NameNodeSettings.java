/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.RollingUpgradeStartupOption;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * How the NameNode of this process uses its journal, whatever stores it. Immutable.
 *
 * <p>Uses {@code dfs.namenode.startup}, where the NameNode keeps its {@code StartupOption}, and {@code
 * FSNamesystem.getNamespaceDirs}, {@code getNamespaceEditsDirs}.
 */
@AutoValue
public abstract class NameNodeSettings {

    private static final String LOCAL_SCHEME = "file";
    private static final String HDFS_DEFAULTS = "hdfs-default.xml";

    /**
     * Reads them.
     *
     * @param minReplicas how many copies of the log must be in sync before the NameNode writes
     * @throws IllegalArgumentException if something is wrong; the text names the property
     */
    public static NameNodeSettings read(Configuration conf, JournalId journal, int minReplicas) {
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        // The other nodes are not there yet, or are stopped, as the manual of -upgrade demands; a majority is still
        // needed.
        return new AutoValue_NameNodeSettings(
                journal,
                suffixed.owner(),
                isOffline(conf) ? 1 : minReplicas,
                tailsUnfinishedSegments(conf),
                SspKeys.FORMAT_VOID.find(suffixed).orElse(Collections.emptySet()));
    }

    public abstract JournalId journal();

    /** Names the NameNode of this process: nameservice and NameNode id, as far as they are set. */
    public abstract String owner();

    /** Returns the number of copies of the log that must be in sync before a writer is ready. */
    public abstract int writerReplicas();

    /** Whether a standby applies edits of the segment that is being written: yes, unless the configuration says no. */
    public abstract boolean tailsUnfinished();

    /** The incarnations of the journal that an operator wants void when this process formats it. */
    public abstract Set<Incarnation> voidedIncarnations();

    /** The namespace that HDFS's storage names; cluster id and namespace id are empty before a format. */
    public static NamespaceId namespace(StorageInfo storage) {
        String clusterId = storage.getClusterID();
        return NamespaceId.of(clusterId == null ? "" : clusterId, storage.getNamespaceID());
    }

    /** The name directories on the local disk, as HDFS finds them. */
    public static List<Path> nameDirectories(Configuration conf) {
        return localPaths(FSNamesystem.getNamespaceDirs(conf));
    }

    /**
     * The local directories in which a NameNode keeps edits beside the journal, as HDFS finds them: its name directories, if
     * nothing else is set.
     *
     * @throws IOException if there are several shared directories, which HDFS does not support
     */
    public static List<Path> editsDirectories(Configuration conf) throws IOException {
        return localPaths(FSNamesystem.getNamespaceEditsDirs(conf));
    }

    private static List<Path> localPaths(Collection<URI> uris) {
        List<Path> directories = new ArrayList<>();
        for (URI directory : uris) {
            if (LOCAL_SCHEME.equals(directory.getScheme())) {
                directories.add(Paths.get(directory));
            }
        }
        return directories;
    }

    /** Whether this process is {@code hdfs namenode -initializeSharedEdits}. */
    public static boolean isInitializingSharedEdits(Configuration conf) {
        return startupOption(conf) == StartupOption.INITIALIZESHAREDEDITS;
    }

    /** Ignores HDFS's own default, false: the end of HDFS's journals is not known to be durable, here it is. */
    private static boolean tailsUnfinishedSegments(Configuration conf) {
        String[] sources = conf.getPropertySources(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY);
        boolean said = sources != null && !Arrays.asList(sources).contains(HDFS_DEFAULTS);
        return !said || conf.getBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    }

    private static StartupOption startupOption(Configuration conf) {
        return StartupOption.valueOf(
                conf.get(DFSConfigKeys.DFS_NAMENODE_STARTUP_KEY, StartupOption.REGULAR.toString()));
    }

    /** Whether this process runs a command, or a start, during which other NameNodes are down. */
    static boolean isOffline(Configuration conf) {
        StartupOption option = startupOption(conf);
        switch (option) {
            case FORMAT:
            case BOOTSTRAPSTANDBY:
            case INITIALIZESHAREDEDITS:
            case UPGRADE:
            case UPGRADEONLY:
            case ROLLBACK:
            case RECOVER:
            case METADATAVERSION:
                return true;
            default:
                return RollingUpgradeStartupOption.ROLLBACK.matches(option);
        }
    }
}
