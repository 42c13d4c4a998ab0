/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.hashed;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.util.Progressable;

/**
 * The file system of HDFS's builders for files in hashed directories. Its client has each file made by the client of
 * the file's nameservice, so that the stream is that client's own: nothing of what a builder can say is lost. It does
 * nothing else. Thread-safe.
 *
 * <p>HDFS's builder is a final class of {@code DistributedFileSystem}, and creates by methods that are private, with a client that cannot
 * be replaced: hence the look by reflection for the field that has it, in each Hadoop from 3.3.4 to 3.5.0.
 */
final class FileBuilders extends DistributedFileSystem {

    /** The creation of a file in its nameservice. */
    interface Creation {
        DFSOutputStream create(DFSClient nameservice, String path) throws IOException;
    }

    /** The treatment of a file whose directory is missing. */
    enum MissingParentPolicy {
        MADE,
        REQUIRED;

        private static MissingParentPolicy of(boolean createsParents) {
            return createsParents ? MADE : REQUIRED;
        }
    }

    /** The access to the files of hashed directories. */
    interface Files {

        DFSOutputStream create(Path file, EnumSet<CreateFlag> flags, MissingParentPolicy parents, Creation creation)
                throws IOException;

        /** Appends, through the creation call, to an existing file; creates a missing one if the flags say so. */
        DFSOutputStream appendOrCreate(
                Path file, EnumSet<CreateFlag> flags, MissingParentPolicy parents, Creation creation)
                throws IOException;

        FSDataOutputStream append(
                Path file, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress, InetSocketAddress[] nodes)
                throws IOException;
    }

    private final Files files;
    private final DFSClient ofName;

    /** @param name of a nameservice that the configuration has; nothing is asked of it */
    FileBuilders(URI name, Configuration conf, Files files) throws IOException {
        this.files = files;
        initialize(name, conf);
        ofName = getClient();
        setClient(new SpreadingClient(conf, statistics));
    }

    private void setClient(DFSClient client) {
        try {
            Field field = DistributedFileSystem.class.getDeclaredField("dfs");
            field.setAccessible(true);
            field.set(this, client);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(
                    "Hashed directories need Hadoop 3.3.4 or newer: this Hadoop's "
                            + DistributedFileSystem.class.getName() + " has no field for its client",
                    e);
        }
    }

    /** Appends to a file; used by builders. */
    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return files.append(f, flag, bufferSize, progress, favoredNodes);
    }

    /** Closes this file system; the nameservices' clients close the streams. */
    @Override
    public void close() throws IOException {
        super.close();
        ofName.close();
    }

    /** A client that does not call a NameNode itself. */
    private final class SpreadingClient extends DFSClient {

        SpreadingClient(Configuration conf, FileSystem.Statistics statistics) throws IOException {
            super(null, NoNameNode.newProxy(), conf, statistics);
        }

        /** The key provider for the stream of a file in an encryption zone around the parts. */
        @Override
        public URI getKeyProviderUri() throws IOException {
            return ofName.getKeyProviderUri();
        }

        @Override
        public DFSOutputStream create(
                String src,
                FsPermission permission,
                EnumSet<CreateFlag> flag,
                boolean createParent,
                short replication,
                long blockSize,
                Progressable progress,
                int buffersize,
                Options.ChecksumOpt checksumOpt,
                InetSocketAddress[] favoredNodes,
                String ecPolicyName,
                String storagePolicy)
                throws IOException {
            return files.create(
                    new Path(src),
                    flag,
                    MissingParentPolicy.of(createParent),
                    (nameservice, place) -> nameservice.create(
                            place,
                            permission,
                            flag,
                            false,
                            replication,
                            blockSize,
                            progress,
                            buffersize,
                            checksumOpt,
                            favoredNodes,
                            ecPolicyName,
                            storagePolicy));
        }

        @Override
        public DFSOutputStream primitiveCreate(
                String src,
                FsPermission absPermission,
                EnumSet<CreateFlag> flag,
                boolean createParent,
                short replication,
                long blockSize,
                Progressable progress,
                int buffersize,
                Options.ChecksumOpt checksumOpt)
                throws IOException {
            CreateFlag.validate(flag);
            Creation creation = (nameservice, place) -> nameservice.primitiveCreate(
                    place, absPermission, flag, false, replication, blockSize, progress, buffersize, checksumOpt);
            Path file = new Path(src);
            MissingParentPolicy parents = MissingParentPolicy.of(createParent);
            return flag.contains(CreateFlag.APPEND)
                    ? files.appendOrCreate(file, flag, parents, creation)
                    : files.create(file, flag, parents, creation);
        }
    }

    /** A NameNode that is never called. */
    private static final class NoNameNode implements InvocationHandler, Closeable {

        static ClientProtocol newProxy() {
            return (ClientProtocol) Proxy.newProxyInstance(
                    FileBuilders.class.getClassLoader(), new Class<?>[] {ClientProtocol.class}, new NoNameNode());
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            throw new UnsupportedOperationException("Only files are created and appended to here: " + method.getName());
        }

        @Override
        public void close() {}
    }
}
