/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.benchmarks.ClusterUsage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

class ClientLoadTest {
    /** Does everything at once, and keeps nothing. */
    public static final class NullFileSystem extends RawLocalFileSystem {
        @Override
        public boolean mkdirs(Path directory) {
            return true;
        }

        @Override
        public FSDataOutputStream create(Path file, boolean overwrite) throws IOException {
            return new FSDataOutputStream(OutputStream.nullOutputStream(), null);
        }

        @Override
        public boolean rename(Path from, Path to) {
            return true;
        }

        @Override
        public boolean delete(Path file, boolean recursive) {
            return true;
        }
    }

    @Test
    void measuresFileConsumingOperationsForFullDuration() throws Exception {
        try (ClientLoad load = new ClientLoad(nullConfiguration(), 2, new Path("/load"))) {
            for (MeasuredOperation operation :
                    List.of(MeasuredOperation.CREATE, MeasuredOperation.RENAME, MeasuredOperation.DELETE)) {
                ClientLoad.Outcome outcome = load.run(operation, 1);

                assertThat(outcome.seconds()).as("seconds of " + operation).isGreaterThanOrEqualTo(0.8);
            }
        }
    }

    @Test
    void preparesFilesOutsideMeasurementOnceNumberIsKnown() throws Exception {
        ClientLoad.FilesToDelete needed = new ClientLoad.FilesToDelete();
        List<Boolean> known = new ArrayList<>();
        try (ClientLoad load = new ClientLoad(nullConfiguration(), 2, new Path("/load"))) {
            load.delete(1, ClusterUsage.NOBODYS, needed, files -> {
                known.add(needed.hasEstimate(2));
                files.make();
            });
        }

        assertThat(known).hasSizeBetween(1, 4).containsOnly(true);
    }

    private static Configuration nullConfiguration() {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "nowhere:///");
        conf.setClass("fs.nowhere.impl", NullFileSystem.class, RawLocalFileSystem.class);
        return conf;
    }
}
