/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceGuardTest {

    @TempDir
    private Path directory;

    private static DiskSpaceGuard guardReserving(long bytes) {
        Configuration conf = new Configuration(false);
        conf.setLong("dfs.namenode.resource.du.reserved", bytes);
        return DiskSpaceGuard.of(conf);
    }

    @Test
    void leavesReservedDiskSpaceToNameNode() throws IOException {
        guardReserving(1).require(directory, 0);
        assertThatThrownBy(() -> guardReserving(1L << 61).require(directory, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The disk of " + directory)
                .hasMessageContaining("dfs.namenode.resource.du.reserved");
        assertThatThrownBy(() -> guardReserving(1).require(directory, Long.MAX_VALUE >> 1))
                .hasMessageContaining("wanted " + (Long.MAX_VALUE >> 1));
    }

    @Test
    void guardedStreamFailsBeforeDiskIsFull() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (OutputStream guarded = guardReserving(1).guard(directory, written)) {
            guarded.write(new byte[] {1, 2, 3}, 1, 2);
            guarded.write(4);
        }
        assertThat(written.toByteArray()).containsExactly(2, 3, 4);
        assertThatThrownBy(
                        () -> guardReserving(1L << 61).guard(directory, written).write(5))
                .hasMessageContaining("The disk of");
        assertThat(written.size()).isEqualTo(3);
    }
}
