/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.shims.HadoopShims;
import org.apache.hadoop.hive.shims.ShimLoader;

/**
 * Does what Hive does with a partition: its encryption shim, which asks HDFS's client below the file system for keys, and its listing with the
 * numbers of files, which is refused below a table so that Hive lists by the file system.
 */
public final class HiveSteps {
    private static final Path TABLE = new Path("/warehouse/t");

    private final Configuration configuration = new Configuration();
    private final FileSystem files = FileSystem.get(configuration);
    private final HadoopShims shims = ShimLoader.getHadoopShims();
    private final HadoopShims.HdfsEncryptionShim encryption = shims.createHdfsEncryptionShim(files, configuration);

    public HiveSteps() throws IOException {
        files.mkdirs(TABLE);
    }

    public void step(int number) throws IOException {
        Path staging = new Path(TABLE, ".hive-staging_" + number);
        Path partition = partition(number);
        files.mkdirs(staging);
        try (FSDataOutputStream out = files.create(new Path(staging, "000000_0"))) {
            out.writeInt(number);
        }
        if (encryption.isPathEncrypted(staging) || !encryption.arePathsOnSameEncryptionZone(staging, TABLE)) {
            throw new IllegalStateException(staging + " is said to be encrypted");
        }
        if (!files.rename(staging, partition)) {
            throw new IllegalStateException("not renamed to " + partition);
        }
        expectFile(number);
    }

    public void check(int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            expectFile(number);
        }
    }

    private static Path partition(int number) {
        return new Path(TABLE, "day=" + number);
    }

    private void expectFile(int number) throws IOException {
        FileStatus[] listed = files.listStatus(partition(number));
        if (listed.length != 1 || listed[0].getLen() != Integer.BYTES) {
            throw new IllegalStateException("partition " + number + " holds " + listed.length + " files");
        }
        expectRefusal(() -> shims.listLocatedHdfsStatus(files, partition(number), path -> true));
        expectRefusal(() -> shims.getFileId(files, listed[0].getPath().toUri().getPath()));
    }

    private interface Call {
        void run() throws IOException;
    }

    /** As {@code AcidUtils} and {@code OrcInputFormat} need it to list without numbers. */
    private static void expectRefusal(Call call) throws IOException {
        try {
            call.run();
        } catch (UnsupportedOperationException e) {
            return;
        }
        throw new IllegalStateException("numbers of files are of one nameservice, and were told");
    }
}
