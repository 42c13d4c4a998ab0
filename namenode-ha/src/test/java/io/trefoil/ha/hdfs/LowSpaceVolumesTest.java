/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LowSpaceVolumesTest {
    private final Configuration conf = new Configuration(false);

    @TempDir
    private Path directory;

    @BeforeEach
    void checkDirectory() {
        conf.set("dfs.namenode.checked.volumes", directory.toString());
        conf.set("dfs.namenode.edits.dir", directory.toUri().toString());
    }

    @Test
    void listsVolumeWhenFreeSpaceIsBelowReserve() {
        conf.setLong("dfs.namenode.resource.du.reserved", Long.MAX_VALUE);

        assertThat(LowSpaceVolumes.describe(conf))
                .matches(": " + directory + " has [0-9]+ MiB left, less than the [0-9]+ MiB of "
                        + "dfs\\.namenode\\.resource\\.du\\.reserved: free some space");
    }

    @Test
    void listsVolumesOnlyWhenFreeSpaceIsShort() {
        conf.setLong("dfs.namenode.resource.du.reserved", 1);

        assertThat(LowSpaceVolumes.describe(conf)).isEmpty();
    }
}
