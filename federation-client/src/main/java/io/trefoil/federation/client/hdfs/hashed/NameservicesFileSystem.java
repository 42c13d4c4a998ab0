/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hashed.HashedTree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** The part of {@link HashedFileSystem} that knows the nameservices: which directories are hashed, and over which of them. Thread-safe. */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class NameservicesFileSystem extends FileSystem {

    private static final String REFUSAL = "In a hashed directory ";

    private static final String AUTO_MSYNC = "dfs.client.failover.observer.auto-msync-period.";

    /** A single hashed directory. */
    static final class Directory {
        final HashedLayout layout;
        final List<HdfsGroup> groups;
        final HashedTree<HdfsEntry> tree;

        Directory(String path, List<HdfsGroup> groups) {
            this.layout = new HashedLayout(path, groups.size());
            this.groups = groups;
            this.tree = new HashedTree<>(layout, groups, () -> UUID.randomUUID().toString());
        }
    }

    /** A path in a hashed directory. */
    static final class ResolvedPath {
        final Directory directory;
        final String path;

        ResolvedPath(Directory directory, String path) {
            this.directory = directory;
            this.path = path;
        }

        boolean isRoot() {
            return path.isEmpty();
        }
    }

    private final Map<String, HdfsGroup> groups = new HashMap<>();
    private final Map<String, Directory> directories = new HashMap<>();
    private URI name;
    private Path workingDirectory;

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(uri, conf);
        name = URI.create(HashedFileSystem.SCHEME + "://" + uri.getAuthority());
        workingDirectory = new Path("/");
        for (Map.Entry<String, String> one :
                conf.getPropsWithPrefix(HashedFileSystem.HASHED).entrySet()) {
            List<HdfsGroup> over = new ArrayList<>();
            for (String nameservice : one.getValue().split(",")) {
                over.add(group(nameservice, conf));
            }
            directories.put(one.getKey(), new Directory(one.getKey(), over));
        }
    }

    private HdfsGroup group(String nameservice, Configuration conf) throws IOException {
        HdfsGroup known = groups.get(nameservice);
        if (known != null) {
            return known;
        }
        Configuration own = new Configuration(conf);
        // What is not there decides here, so an observer must know what others did.
        own.setInt(AUTO_MSYNC + nameservice, 0);
        DistributedFileSystem fileSystem = new DistributedFileSystem();
        fileSystem.initialize(URI.create("hdfs://" + nameservice), own);
        HdfsGroup group = new HdfsGroup(fileSystem);
        groups.put(nameservice, group);
        return group;
    }

    @Override
    public void close() throws IOException {
        super.close();
        for (HdfsGroup group : groups.values()) {
            group.fileSystem().close();
        }
    }

    @Override
    public URI getUri() {
        return name;
    }

    @Override
    public String getScheme() {
        return HashedFileSystem.SCHEME;
    }

    /** Returns null, as delegation tokens are those of the nameservices. */
    @Override
    public String getCanonicalServiceName() {
        return null;
    }

    /** The clients of the nameservices. */
    @Override
    public FileSystem[] getChildFileSystems() {
        return groups.values().stream().map(HdfsGroup::fileSystem).toArray(FileSystem[]::new);
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void setWorkingDirectory(Path dir) {
        workingDirectory = makeQualified(dir);
    }

    /**
     * The place of a path, which must be in a hashed directory.
     *
     * @throws FileNotFoundException if it names snapshots. A part has some while it is sealed, and HDFS would tell of these as of a
     *     directory, which no other part has
     */
    final ResolvedPath resolve(Path path) throws IOException {
        String text = makeQualified(path).toUri().getPath();
        for (String root = text; !root.isEmpty(); root = root.substring(0, root.lastIndexOf('/'))) {
            Directory directory = directories.get(root);
            if (directory != null) {
                return new ResolvedPath(directory, requireValidPath(text, text.substring(root.length())));
            }
        }
        throw new IOException(text + " is in no hashed directory");
    }

    private static String requireValidPath(String fullPath, String path) throws IOException {
        for (String component : path.split("/")) {
            if (HashedLayout.isReserved(component)) {
                throw new IOException("Names in a hashed directory do not begin as " + component + " does");
            }
            if (component.equals(HdfsConstants.DOT_SNAPSHOT_DIR)) {
                throw new FileNotFoundException("A hashed directory has no snapshots, and nothing else is called "
                        + component + ": " + fullPath);
            }
        }
        return path;
    }

    static UnsupportedOperationException newRefusal(String operation) {
        return new UnsupportedOperationException(REFUSAL + operation);
    }

    /** Whether an exception explains why a call is not supported in a hashed directory. */
    public static boolean isRefusal(UnsupportedOperationException e) {
        return e.getMessage() != null && e.getMessage().startsWith(REFUSAL);
    }

    final Set<String> roots() {
        return Collections.unmodifiableSet(directories.keySet());
    }

    private DistributedFileSystem firstNameservice(Path p) throws IOException {
        return resolve(p).directory.groups.get(0).fileSystem();
    }

    /** The status of the DataNodes, from the first nameservice, as all nameservices of a federation have the same ones. */
    @Override
    public FsStatus getStatus(Path p) throws IOException {
        return firstNameservice(p).getStatus(new Path("/"));
    }

    @Override
    public FsServerDefaults getServerDefaults(Path p) throws IOException {
        return firstNameservice(p).getServerDefaults(new Path("/"));
    }

    @Override
    public long getDefaultBlockSize(Path f) {
        return anyNameservice().getDefaultBlockSize();
    }

    @Override
    public short getDefaultReplication(Path path) {
        return anyNameservice().getDefaultReplication();
    }

    final DistributedFileSystem anyNameservice() {
        return groups.values().iterator().next().fileSystem();
    }

    @Override
    public void msync() throws IOException {
        for (HdfsGroup group : groups.values()) {
            group.fileSystem().msync();
        }
    }

    @Override
    public void setVerifyChecksum(boolean verifyChecksum) {
        groups.values().forEach(group -> group.fileSystem().setVerifyChecksum(verifyChecksum));
    }

    @Override
    public void setWriteChecksum(boolean writeChecksum) {
        groups.values().forEach(group -> group.fileSystem().setWriteChecksum(writeChecksum));
    }
}
