/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.orc.OrcFile;
import org.apache.hadoop.hive.ql.io.orc.Reader;
import org.apache.hadoop.hive.ql.io.orc.Writer;
import org.apache.orc.TypeDescription;

/** Each step writes a partition's file as Hive's tasks do, where nobody looks yet, renames it, and reads it. */
public final class HiveOrcSteps {
    /** Another one for each of several that work at the same time. */
    private static final Path DIRECTORY = new Path(System.getProperty("folder"));

    private static final TypeDescription ROW = TypeDescription.fromString("struct<n:bigint>");

    private final Configuration configuration = new Configuration();
    private final FileSystem files = FileSystem.get(configuration);

    public HiveOrcSteps() throws IOException {
        files.mkdirs(DIRECTORY);
    }

    public void step(int number) throws IOException {
        Path staging = new Path(DIRECTORY, ".hive-staging_" + number);
        try (Writer writer = OrcFile.createWriter(
                staging, OrcFile.writerOptions(configuration).setSchema(ROW).fileSystem(files))) {
            VectorizedRowBatch batch = ROW.createRowBatch();
            ((LongColumnVector) batch.cols[0]).vector[batch.size++] = number;
            writer.addRowBatch(batch);
        }
        if (!files.rename(staging, partition(number))) {
            throw new IllegalStateException("not renamed: " + staging);
        }
        expectRow(number);
    }

    public void check(int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            expectRow(number);
        }
    }

    private static Path partition(int number) {
        return new Path(DIRECTORY, "day=" + number);
    }

    private void expectRow(int number) throws IOException {
        Reader reader = OrcFile.createReader(
                partition(number), OrcFile.readerOptions(configuration).filesystem(files));
        VectorizedRowBatch batch = reader.getSchema().createRowBatch();
        boolean isThere = reader.rows().nextBatch(batch);
        if (!isThere || batch.size != 1 || ((LongColumnVector) batch.cols[0]).vector[0] != number) {
            throw new IllegalStateException("partition " + number + " does not hold its row");
        }
    }
}
