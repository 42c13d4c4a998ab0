/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.util.Progressable;

/**
 * {@link SubtreeFileSystem} for users of {@code FileContext}, such as YARN and MapReduce: for {@code fs.AbstractFileSystem.hdfs.impl}. It
 * passes on what HDFS's own {@code Hdfs} can do and Hadoop's adapter cannot, and renames and creates in one call. Thread-safe.
 */
public final class SubtreeFs extends DelegateToFileSystem {
    private final SubtreeFileSystem fileSystem;

    /**
     * Creates the file system; Hadoop calls this.
     *
     * @throws IOException if the table cannot be read
     * @throws URISyntaxException if the URI is not a valid name
     */
    public SubtreeFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
        super(uri, SubtreeFileSystem.withPortOf(uri, conf), conf, HdfsConstants.HDFS_URI_SCHEME, false);
        fileSystem = (SubtreeFileSystem) fsImpl;
    }

    @Override
    public FSDataOutputStream createInternal(
            Path f,
            EnumSet<CreateFlag> flag,
            FsPermission absolutePermission,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt,
            boolean createParent)
            throws IOException {
        checkPath(f);
        return createParent
                ? fileSystem.primitiveCreate(
                        f, absolutePermission, flag, bufferSize, replication, blockSize, progress, checksumOpt)
                : fileSystem.createInDirectory(
                        f, absolutePermission, flag, bufferSize, replication, blockSize, progress, checksumOpt);
    }

    @Override
    public void mkdir(Path dir, FsPermission permission, boolean createParent) throws IOException {
        checkPath(dir);
        if (createParent) {
            fileSystem.mkdirs(dir, permission);
        } else {
            fileSystem.mkdir(dir, permission);
        }
    }

    @Override
    public void renameInternal(Path src, Path dst) throws IOException {
        renameInternal(src, dst, false);
    }

    @Override
    public void renameInternal(Path src, Path dst, boolean overwrite) throws IOException {
        checkPath(src);
        checkPath(dst);
        fileSystem.rename(src, dst, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
        checkPath(f);
        return fileSystem.listStatusIterator(f);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
        checkPath(f);
        return fileSystem.listLocatedStatus(f);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        return fileSystem.listCorruptFileBlocks(path);
    }

    @Override
    public void msync() throws IOException {
        fileSystem.msync();
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        fileSystem.access(path, mode);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        fileSystem.modifyAclEntries(path, aclSpec);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
        fileSystem.removeAclEntries(path, aclSpec);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        fileSystem.removeDefaultAcl(path);
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        fileSystem.removeAcl(path);
    }

    @Override
    public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
        fileSystem.setAcl(path, aclSpec);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        return fileSystem.getAclStatus(path);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag) throws IOException {
        fileSystem.setXAttr(path, name, value, flag);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return fileSystem.getXAttr(path, name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return fileSystem.getXAttrs(path);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return fileSystem.getXAttrs(path, names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return fileSystem.listXAttrs(path);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        fileSystem.removeXAttr(path, name);
    }

    @Override
    public void satisfyStoragePolicy(Path path) throws IOException {
        fileSystem.satisfyStoragePolicy(path);
    }

    @Override
    public void setStoragePolicy(Path path, String policyName) throws IOException {
        fileSystem.setStoragePolicy(path, policyName);
    }

    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        fileSystem.unsetStoragePolicy(path);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        return fileSystem.getStoragePolicy(path);
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return fileSystem.getAllStoragePolicies();
    }

    @Override
    public Path createSnapshot(Path path, String snapshotName) throws IOException {
        return fileSystem.createSnapshot(path, snapshotName);
    }

    @Override
    public void renameSnapshot(Path path, String oldName, String newName) throws IOException {
        fileSystem.renameSnapshot(path, oldName, newName);
    }

    @Override
    public void deleteSnapshot(Path path, String snapshotName) throws IOException {
        fileSystem.deleteSnapshot(path, snapshotName);
    }
}
