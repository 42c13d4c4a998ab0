/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.hdfs.files.RetainedImages;
import io.trefoil.checkpoint.hdfs.restore.HostRestore;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.pool.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** What the tests of the command need of the checkpoints on one host, and nothing else outside this package does. */
public final class CheckpointHost {

    /** The name of the plugin's metrics. */
    public static final String METRICS = CheckpointMetrics.NAME;

    private CheckpointHost() {}

    public static Path newestImage(Path nameDirectory) throws IOException {
        return NameDirectoryFiles.of(nameDirectory.toFile(), true).newestImage().orElseThrow();
    }

    /** The file with the checksum of an image. */
    public static Path checksum(Path image) {
        return NameDirectoryFiles.checksum(image);
    }

    public static Path retainedImage(Path currentDirectory, CheckpointId id) throws IOException {
        return new RetainedImages(currentDirectory).find(id).orElseThrow();
    }

    /** Keeps images as the plugin does, once started. */
    public static final class ImageKeeper implements Closeable {
        private final ImageRetainer keeper;

        public ImageKeeper(NameNode nameNode, Journal journal, Duration orphanedAfter) {
            keeper = new ImageRetainer(nameNode, journal, orphanedAfter);
        }

        public void start() {
            keeper.start();
        }

        @Override
        public void close() {
            keeper.close();
        }
    }

    /** A restore whose journal a test stands around. */
    public static final class TestRestore {
        private final HostRestore host;

        public TestRestore(Configuration conf, UnaryOperator<Journal> journalWrapper) throws IOException {
            host = new HostRestore(conf, journalWrapper, Progress.SILENT);
        }

        public RestorePlan plan(Checkpoint checkpoint, RestoreOptions options) throws IOException {
            return host.plan(checkpoint, options);
        }

        public UndoPlan planUndo(Checkpoint checkpoint, RestoreOptions options) throws IOException {
            return host.planUndo(checkpoint, options);
        }

        public List<String> execute(RestorePlan plan, String time) throws IOException {
            return host.execute(plan, time);
        }

        public List<String> undo(UndoPlan plan, String time) throws IOException {
            return host.undo(plan, time);
        }
    }
}
