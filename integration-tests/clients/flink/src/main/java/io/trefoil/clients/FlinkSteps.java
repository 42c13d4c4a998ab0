/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Each step is a streaming job with checkpoints, which ends when its rows are in files. */
public final class FlinkSteps {
    private static final Path OUTPUT = new Path("hdfs:///flink/output");
    private static final String CHECKPOINTS = "hdfs:///flink/checkpoints";
    private static final int ROWS = 500;

    public void step(int number) throws Exception {
        Configuration settings = new Configuration();
        settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, CHECKPOINTS);
        // A job that is restarted is a failover that it noticed.
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2, settings);
        environment.enableCheckpointing(100);
        environment
                .fromSequence(1, ROWS)
                .map(String::valueOf)
                .returns(Types.STRING)
                .sinkTo(FileSink.forRowFormat(directory(number), new SimpleStringEncoder<String>())
                        .build());
        environment.execute("step " + number);
    }

    public void check(int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            long[] found = rows(directory(number));
            Arrays.sort(found);
            if (!Arrays.equals(found, LongStream.rangeClosed(1, ROWS).toArray())) {
                throw new IllegalStateException("step " + number + " left rows " + Arrays.toString(found));
            }
        }
    }

    private static Path directory(int number) {
        return new Path(OUTPUT, String.valueOf(number));
    }

    /** Of all buckets; files that begin with a dot are not part of the output. */
    private static long[] rows(Path directory) throws IOException {
        FileSystem files = directory.getFileSystem();
        LongStream.Builder rows = LongStream.builder();
        for (FileStatus bucket : files.listStatus(directory)) {
            for (FileStatus part : files.listStatus(bucket.getPath())) {
                if (!part.getPath().getName().startsWith(".")) {
                    try (BufferedReader reader = new BufferedReader(
                            new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
                        reader.lines().mapToLong(Long::parseLong).forEach(rows);
                    }
                }
            }
        }
        return rows.build().toArray();
    }
}
