/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode.hdfs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.hadoop.hdfs.server.datanode.FSCachingGetSpaceUsed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what a block pool uses of a volume, where its replicas may have a second name in another pool: of such a file each pool counts
 * its share, so that all of them together count it once. HDFS's own ways, {@code du} and the sum of all replicas, would count it in each
 * pool, and HDFS would take a volume that is more than half full of them for full.
 *
 * <p>Named in {@code fs.getspaceused.classname}. Looks at each file, as {@code du} does, and as often.
 *
 * <p>Uses {@code FSCachingGetSpaceUsed}.
 */
public final class SharedSpaceUsed extends FSCachingGetSpaceUsed {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSpaceUsed.class);

    /** HDFS calls it by reflection. */
    public SharedSpaceUsed(Builder builder) throws IOException {
        super(builder);
    }

    @Override
    protected void refresh() {
        try {
            setUsed(measure(Paths.get(getDirPath())));
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot measure {}; HDFS goes on with {} bytes", getDirPath(), used, e);
        }
    }

    /** In bytes; a file that goes while we look counts or does not. */
    static long measure(Path folder) throws IOException {
        long[] sum = {0};
        Files.walkFileTree(folder, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                sum[0] += attributes.size() / names(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return sum[0];
    }

    private static int names(Path file) throws IOException {
        try {
            return Math.max(1, (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return 1;
        }
    }
}
