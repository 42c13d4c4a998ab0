/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import io.trefoil.client.SubtreeOwners;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.util.Progressable;

/**
 * One version of the table as Hadoop's own client routes by it; without a table, a nameservice. Opens to {@link SubtreeFileSystem} what
 * Hadoop shows to subclasses only, and corrects methods that pass wrong arguments
 * on in Hadoop 3.4 and 3.5, or go to the owner of the root whatever their path.
 */
final class SubtreeView extends ViewDistributedFileSystem {

    /** Of the table's file, as {@code TableCodec} of the command writes it. */
    private static final String NAME = "io.trefoil.subtrees.name";

    private static final String VERSION = "io.trefoil.subtrees.version";

    /** What a builder can be told. */
    private static final Set<CreateFlag> OF_BUILDERS = EnumSet.of(
            CreateFlag.CREATE,
            CreateFlag.OVERWRITE,
            CreateFlag.SYNC_BLOCK,
            CreateFlag.LAZY_PERSIST,
            CreateFlag.NEW_BLOCK,
            CreateFlag.NO_LOCAL_WRITE,
            CreateFlag.SHOULD_REPLICATE,
            CreateFlag.IGNORE_CLIENT_LOCALITY);

    /**
     * Reads the newest version.
     *
     * @param conf of the user; a copy is used, because Hadoop adds the table to it
     */
    static SubtreeView open(URI name, Configuration conf) throws IOException {
        SubtreeView view = new SubtreeView();
        view.initialize(name, new Configuration(conf));
        return view;
    }

    /** Whether it follows a table of this name, and not just a nameservice: to that Hadoop falls back if it finds no table. */
    boolean isOfTable(String name) {
        return getMountPoints() != null
                && name.equals(getConf().get(NAME))
                && getConf().get(VERSION) != null;
    }

    /** Only if it follows a table. */
    int version() {
        return Integer.parseInt(getConf().get(VERSION));
    }

    /** Only if it follows a table. */
    SubtreeOwners owners() {
        String table = Constants.CONFIG_VIEWFS_PREFIX + "." + getConf().get(NAME) + ".";
        Map<String, String> owners = new HashMap<>();
        getConf()
                .getPropsWithPrefix(table + Constants.CONFIG_VIEWFS_LINK + ".")
                .forEach((path, target) -> owners.put(path, URI.create(target).getAuthority()));
        String root = getConf().get(table + Constants.CONFIG_VIEWFS_LINK_FALLBACK);
        return new SubtreeOwners(URI.create(root).getAuthority(), owners);
    }

    /** The clients of all nameservices of the table, or of the one that it is. */
    List<DistributedFileSystem> nameservices() {
        List<DistributedFileSystem> all = new ArrayList<>();
        if (getMountPoints() == null) {
            all.add(this);
            return all;
        }
        for (FileSystem child : getChildFileSystems()) {
            all.add((DistributedFileSystem) child);
        }
        return all;
    }

    /** The client of the nameservice that owns a path: for calls that Hadoop sends to the owner of the root whatever their path. */
    DistributedFileSystem owner(Path path) throws IOException {
        if (getMountPoints() == null) {
            return this;
        }
        String owner = owners().ownerOf(makeQualified(path).toUri().getPath());
        for (DistributedFileSystem nameservice : nameservices()) {
            if (owner.equals(nameservice.getUri().getAuthority())) {
                return nameservice;
            }
        }
        throw new IOException("The table has no nameservice for " + path);
    }

    /** Without the name of the federation, which no nameservice takes. */
    Path bare(Path path) {
        return Path.getPathWithoutSchemeAndAuthority(makeQualified(path));
    }

    /** Waits for what was done anywhere, not just at the owner of the root. */
    @Override
    public void msync() throws IOException {
        if (getMountPoints() == null) {
            super.msync();
            return;
        }
        for (DistributedFileSystem nameservice : nameservices()) {
            nameservice.msync();
        }
    }

    /** As DFS's own, which is atomic: Hadoop's passes the size of the buffer on as that of a block. */
    @Override
    public FSDataOutputStream createNonRecursive(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return createInFolder(f, permission, flags, bufferSize, replication, blockSize, progress, null);
    }

    /** In a folder that must exist. */
    FSDataOutputStream createInFolder(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        if (!OF_BUILDERS.containsAll(flags)) {
            getFileStatus(f.getParent());
            return primitiveCreate(f, permission, flags, bufferSize, replication, blockSize, progress, checksum);
        }
        DistributedFileSystem.HdfsDataOutputStreamBuilder builder = createFile(f);
        builder.permission(permission)
                .overwrite(flags.contains(CreateFlag.OVERWRITE))
                .bufferSize(bufferSize)
                .replication(replication)
                .blockSize(blockSize);
        if (progress != null) {
            builder.progress(progress);
        }
        if (checksum != null) {
            builder.checksumOpt(checksum);
        }
        flags.forEach(flag -> tell(builder, flag));
        return builder.build();
    }

    private static void tell(DistributedFileSystem.HdfsDataOutputStreamBuilder builder, CreateFlag flag) {
        switch (flag) {
            case SYNC_BLOCK:
                builder.syncBlock();
                break;
            case LAZY_PERSIST:
                builder.lazyPersist();
                break;
            case NEW_BLOCK:
                builder.newBlock();
                break;
            case NO_LOCAL_WRITE:
                builder.noLocalWrite();
                break;
            case SHOULD_REPLICATE:
                builder.replicate();
                break;
            case IGNORE_CLIENT_LOCALITY:
                builder.ignoreClientLocality();
                break;
            default:
                break;
        }
    }

    /** Hadoop hands the path on with the name of the federation, which no nameservice takes. */
    @Override
    protected HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flag,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt)
            throws IOException {
        return super.primitiveCreate(
                bare(f), absolutePermission, flag, bufferSize, replication, blockSize, progress, checksumOpt);
    }

    /** {@code FileContext} names a nameservice with HDFS's own port, as it does with HDFS's own client. */
    @Override
    protected void checkPath(Path path) {
        URI uri = path.toUri();
        boolean hasOwnPort = uri.getPort() == HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT
                && getUri().getPort() < 0
                && getUri().getScheme().equals(uri.getScheme())
                && getUri().getAuthority().equals(uri.getHost());
        if (!hasOwnPort) {
            super.checkPath(path);
        }
    }

    @Override
    protected HdfsPathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        return super.createPathHandle(status, options);
    }

    @Override
    protected boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return super.primitiveMkdir(f, absolutePermission);
    }

    @Override
    protected Path resolveLink(Path f) throws IOException {
        return super.resolveLink(f);
    }

    @Override
    protected int getDefaultPort() {
        return super.getDefaultPort();
    }

    @Override
    protected URI canonicalizeUri(URI uri) {
        return super.canonicalizeUri(uri);
    }
}
