/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.foundation.DurableFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The objects of an archive on one of Hadoop's file systems. Where an object appears when it is closed, it is written under its
 * name; elsewhere under a temporary one, synced and renamed. Others on the host see nothing of it.
 */
public final class FileSystemStore implements ArchiveStore {

    /** Object stores that show an object when it is whole, and copy it to rename it. */
    private static final Set<String> WHOLE_OBJECTS =
            new HashSet<>(Arrays.asList("s3a", "gs", "oss", "obs", "cosn", "tos", "bos"));

    private static final String PART = ".part-";
    private static final int TRIES = 5;

    private final FileSystem files;
    private final Path root;
    private final boolean renames;
    private final boolean isLocal;
    private final Random random = new Random();

    private FileSystemStore(FileSystem files, Path root) {
        this.isLocal = files instanceof LocalFileSystem;
        // Without Hadoop's files of checksums beside: every object has its own.
        this.files = isLocal ? ((LocalFileSystem) files).getRawFileSystem() : files;
        this.root = root;
        this.renames = !WHOLE_OBJECTS.contains(root.toUri().getScheme());
    }

    /**
     * Opens the store of the objects in a directory.
     *
     * @param directory a URI, or a path of the default file system
     * @throws IOException if there is no such file system, or its classes are missing
     */
    public static FileSystemStore of(Configuration conf, String directory) throws IOException {
        try {
            return open(conf, directory);
        } catch (RuntimeException | LinkageError e) {
            throw new IOException("Cannot open " + directory + ": " + cause(e), e);
        }
    }

    /**
     * Returns the cause of a failure. Hadoop wraps the error for a missing class, which may be the file system's or one of
     * its libraries'.
     */
    private static String cause(Throwable e) {
        Throwable cause = e instanceof RuntimeException && e.getCause() != null ? e.getCause() : e;
        boolean isMissing = cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError;
        return cause.getMessage()
                + (isMissing
                        ? "; wanted Hadoop's module of this file system on the class path, for example"
                                + " HADOOP_OPTIONAL_TOOLS=hadoop-aws in hadoop-env.sh for s3a"
                        : "");
    }

    private static FileSystemStore open(Configuration conf, String directory) throws IOException {
        Configuration closed = new Configuration(conf);
        closed.set(CommonConfigurationKeys.FS_PERMISSIONS_UMASK_KEY, "077");
        URI uri = new Path(directory).toUri();
        FileSystem files =
                uri.getScheme() == null ? FileSystem.newInstance(closed) : FileSystem.newInstance(uri, closed);
        return new FileSystemStore(files, files.makeQualified(new Path(directory)));
    }

    @Override
    public void put(String name, Content content) throws IOException {
        Path path = new Path(root, name);
        if (!renames) {
            FSDataOutputStream out = files.create(path, true);
            content.writeTo(out);
            // Not if that failed: an object store makes an object of what it has when it is closed.
            out.close();
            return;
        }
        Path part = path.suffix(PART + Integer.toHexString(random.nextInt()));
        try {
            try (FSDataOutputStream out = files.create(part, true)) {
                content.writeTo(out);
                out.hsync();
            }
            if (isLocal) {
                // The stream of some releases of Hadoop only flushes.
                DurableFiles.sync(localPath(part));
            }
            if (!files.rename(part, path) && !files.exists(path)) {
                throw new IOException("Cannot rename " + part + " to " + path);
            }
            if (isLocal) {
                DurableFiles.sync(localPath(path).getParent());
            }
        } finally {
            files.delete(part, false);
        }
    }

    private static java.nio.file.Path localPath(Path path) {
        return Paths.get(path.toUri().getPath());
    }

    @Override
    public InputStream open(String name) throws IOException {
        return files.open(new Path(root, name));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = new Path(root, directory);
        if (isLocal) {
            return listLocal(localPath(path));
        }
        for (int tries = 1; ; tries++) {
            try {
                return list(files.listFiles(path, true));
            } catch (FileNotFoundException e) {
                // A file may have gone while they were listed.
                if (!files.exists(path)) {
                    return new ArrayList<>();
                }
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Lists a local directory without Hadoop, which would start a program for the permissions of each file, and fail where
     * one has gone meanwhile.
     */
    private List<String> listLocal(java.nio.file.Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        java.nio.file.Path top = localPath(root);
        Files.walkFileTree(directory, new SimpleFileVisitor<java.nio.file.Path>() {
            @Override
            public FileVisitResult visitFile(java.nio.file.Path file, BasicFileAttributes attributes) {
                names.add(top.relativize(file).toString());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(java.nio.file.Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return names;
    }

    private List<String> list(RemoteIterator<LocatedFileStatus> found) throws IOException {
        List<String> names = new ArrayList<>();
        String prefix = root.toUri().getPath() + "/";
        while (found.hasNext()) {
            names.add(found.next().getPath().toUri().getPath().substring(prefix.length()));
        }
        return names;
    }

    @Override
    public void delete(String name) throws IOException {
        files.delete(new Path(root, name), false);
    }
}
