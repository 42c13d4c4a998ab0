/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

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
 * Measures how much of a volume a block pool uses, if replicas may have a second name in another pool. Each pool counts its share of
 * such a file, so that together they count it once. HDFS's own ways, {@code du} and the sum of all replicas, would count it in each pool,
 * and HDFS would consider a volume full that is more than half full of such files.
 *
 * <p>{@code fs.getspaceused.classname} names it. It visits each file, as {@code du} does, and as often.
 *
 * <p>Uses {@code FSCachingGetSpaceUsed}.
 */
public final class SharedSpaceUsed extends FSCachingGetSpaceUsed {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSpaceUsed.class);

    /** Creates an instance; HDFS calls this by reflection. */
    public SharedSpaceUsed(Builder builder) throws IOException {
        super(builder);
    }

    @Override
    protected void refresh() {
        try {
            setUsed(measure(Paths.get(getDirPath())));
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Cannot measure the space used: dir={}; still reporting usedBytes={}; do: check that disk if "
                            + "this recurs",
                    getDirPath(),
                    used,
                    e);
        }
    }

    /** Measures the space that a directory uses, in bytes. A file that disappears during the measurement may or may not count. */
    static long measure(Path directory) throws IOException {
        long[] sum = {0};
        Files.walkFileTree(directory, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                sum[0] += attributes.size() / linkCount(file);
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

    private static int linkCount(Path file) throws IOException {
        try {
            return Math.max(1, (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return 1;
        }
    }
}
