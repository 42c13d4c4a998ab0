/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GetSpaceUsed;
import org.apache.hadoop.hdfs.server.datanode.FSCachingGetSpaceUsed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedSpaceUsedTest {
    @TempDir
    Path volume;

    @Test
    void blockPoolsCountHardLinkedFileOnce() throws IOException {
        Path sales = Files.createDirectories(volume.resolve("sales/current/finalized/subdir0"));
        Path stock = Files.createDirectories(volume.resolve("stock/current/finalized/subdir0"));
        Files.write(sales.resolve("own"), new byte[1_000]);
        Path shared = Files.write(sales.resolve("shared"), new byte[600]);
        Files.createLink(stock.resolve("shared"), shared);

        assertThat(SharedSpaceUsed.measure(volume.resolve("sales"))).isEqualTo(1_300);
        assertThat(SharedSpaceUsed.measure(volume.resolve("stock"))).isEqualTo(300);
        // As an upgrade that is not finalized has them, in one pool.
        Files.createLink(sales.resolve("once-more"), sales.resolve("own"));
        assertThat(SharedSpaceUsed.measure(volume.resolve("sales"))).isEqualTo(1_300);
        Files.delete(sales.resolve("shared"));
        assertThat(SharedSpaceUsed.measure(volume.resolve("stock"))).isEqualTo(600);
    }

    @Test
    void hdfsInstantiatesSharedSpaceUsedByClassName() throws IOException {
        Files.write(volume.resolve("file"), new byte[4_321]);
        Configuration conf = new Configuration(false);
        conf.setClass("fs.getspaceused.classname", SharedSpaceUsed.class, GetSpaceUsed.class);
        conf.setLong("fs.du.interval", 0);

        GetSpaceUsed used = new FSCachingGetSpaceUsed.Builder()
                .setPath(volume.toFile())
                .setConf(conf)
                .build();

        assertThat(used).isInstanceOf(SharedSpaceUsed.class);
        assertThat(used.getUsed()).isEqualTo(4_321);
    }
}
