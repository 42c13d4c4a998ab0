/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.util.Progressable;

/**
 * The calls that add a name to a directory. A seal refuses them before they are executed; they wait until the directory is
 * unsealed, or has another owner, and are repeated. What renames or joins files of two owners is refused. Thread-safe.
 */
@SuppressWarnings("deprecation") // Hadoop's own methods, which callers of any age use
abstract class CreatingFileSystem extends ListingFileSystem {

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
        return table().create(
                        f,
                        view -> view.createNonRecursive(
                                f, permission, flags, bufferSize, replication, blockSize, progress));
    }

    /** Creates a file in a directory that must exist. */
    FSDataOutputStream createInDirectory(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return table().create(
                        f,
                        view -> view.createInDirectory(
                                f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    protected HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return table().create(
                        f,
                        view -> view.primitiveCreate(
                                f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    public boolean rename(Path src, Path dst) throws IOException {
        if (makeQualified(src).isRoot()) {
            // As in HDFS, whatever is in it.
            return false;
        }
        requireOneOwner(src, dst);
        return table().create(Arrays.asList(dst, src), view -> view.rename(src, dst), done -> !done);
    }

    @Override
    public void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        requireOneOwner(src, dst);
        table().runCreating(Arrays.asList(dst, src), view -> view.rename(src, dst, options));
    }

    @Override
    public void concat(Path trg, Path[] psrcs) throws IOException {
        for (Path source : psrcs) {
            if (!table().haveSameOwner(source, trg)) {
                // The wording of ViewFs, which its users know.
                throw new IOException("Concat across Mount points not supported: " + source + ", " + trg);
            }
        }
        // HDFS joins only files of one directory.
        table().create(trg, withUnwrappedException(view -> {
            view.concat(trg, psrcs);
            return true;
        }));
    }

    private void requireOneOwner(Path src, Path dst) throws IOException {
        if (!table().haveSameOwner(src, dst)) {
            throw new IOException(table().currentView().crossOwnerRefusal(src, dst));
        }
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return table().create(
                        f, view -> view.create(f, permission, overwrite, bufferSize, replication, blockSize, progress));
    }

    @Override
    public HdfsDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            InetSocketAddress[] favoredNodes)
            throws IOException {
        return table().create(
                        f,
                        (client, there) -> client.create(
                                there,
                                permission,
                                overwrite,
                                bufferSize,
                                replication,
                                blockSize,
                                progress,
                                favoredNodes));
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> cflags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt)
            throws IOException {
        return table().create(
                        f,
                        view -> view.create(
                                f, permission, cflags, bufferSize, replication, blockSize, progress, checksumOpt));
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        return table().create(f, (client, there) -> client.mkdir(there, permission));
    }

    @Override
    public boolean mkdirs(Path dir) throws IOException {
        return table().create(dir, view -> view.mkdirs(dir));
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        return table().create(f, view -> view.mkdirs(f, permission));
    }

    @Override
    protected boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return table().create(f, view -> view.primitiveMkdir(f, absolutePermission));
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        table().runCreating(Collections.singletonList(link), view -> view.createSymlink(target, link, createParent));
    }
}
