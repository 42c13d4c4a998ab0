/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Keeps free the disk space that a NameNode needs: it enters safe mode when there is less than {@code
 * dfs.namenode.resource.du.reserved} free on a disk of its directories. Keeps twice that much free. Immutable.
 */
public final class DiskSpaceGuard {

    /** The number of bytes written between two checks of the free space. */
    private static final long LOOK_BYTES = 4 << 20;

    private final long reservedBytes;

    private DiskSpaceGuard(long reservedBytes) {
        this.reservedBytes = reservedBytes;
    }

    /** @throws IllegalArgumentException if the setting is not a number; the text names the property */
    public static DiskSpaceGuard of(Configuration conf) {
        String property = DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY;
        try {
            return new DiskSpaceGuard(2 * conf.getLong(property, DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_DEFAULT));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(property + " is '" + conf.get(property) + "', wanted bytes", e);
        }
    }

    /** @throws IOException if a directory's disk does not have that much room */
    public void require(Path directory, long bytes) throws IOException {
        long usable = Files.getFileStore(directory).getUsableSpace();
        if (usable - bytes < reservedBytes) {
            throw new IOException("The disk of " + directory + " has " + usable + " bytes left; wanted " + bytes
                    + ", and to leave " + reservedBytes + ", twice "
                    + DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY);
        }
    }

    /** A stream that fails before its disk has too little space left. */
    OutputStream guard(Path directory, OutputStream target) {
        return new FilterOutputStream(target) {
            private long untilLook;

            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (untilLook <= 0) {
                    require(directory, LOOK_BYTES);
                    untilLook = LOOK_BYTES;
                }
                untilLook -= length;
                out.write(bytes, offset, length);
            }
        };
    }
}
