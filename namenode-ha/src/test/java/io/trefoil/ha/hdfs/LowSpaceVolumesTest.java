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
    private Path folder;

    @BeforeEach
    void checkFolder() {
        conf.set("dfs.namenode.checked.volumes", folder.toString());
        conf.set("dfs.namenode.edits.dir", folder.toUri().toString());
    }

    @Test
    void lowVolumesNameDirectoryWhenLessThanReservedIsLeft() {
        conf.setLong("dfs.namenode.resource.du.reserved", Long.MAX_VALUE);

        assertThat(LowSpaceVolumes.of(conf))
                .matches(": " + folder + " has [0-9]+ MiB left, less than the [0-9]+ MiB of "
                        + "dfs\\.namenode\\.resource\\.du\\.reserved: free some space");
    }

    @Test
    void listsNoVolumeWhenSpaceSuffices() {
        conf.setLong("dfs.namenode.resource.du.reserved", 1);

        assertThat(LowSpaceVolumes.of(conf)).isEmpty();
    }
}
