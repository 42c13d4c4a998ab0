/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.datanode.LinkOrder.Check;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaChecksumsTest {
    @TempDir
    Path directory;

    private Path data;
    private Path meta;

    @BeforeEach
    void createNames() {
        data = directory.resolve("blk_1");
        meta = directory.resolve("blk_1_1001.meta");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 512 * 1024, 512 * 1024 + 1, 3_000_001})
    void acceptsHdfsChecksumFilesOfAnyLength(int length) throws IOException {
        write(length, DataChecksum.Type.CRC32C);

        String quick = ReplicaChecksums.check(data, meta, length, Check.CHECKSUMS);

        assertThat(ReplicaChecksums.check(data, meta, length, Check.BYTES))
                .isEqualTo(quick)
                .hasSize(32);
    }

    @Test
    void distinguishesDifferentBytesByChecksum() throws IOException {
        write(2_000, DataChecksum.Type.CRC32);
        String one = ReplicaChecksums.check(data, meta, 2_000, Check.CHECKSUMS);
        write(2_001, DataChecksum.Type.CRC32);

        assertThat(ReplicaChecksums.check(data, meta, 2_001, Check.CHECKSUMS)).isNotEqualTo(one);
    }

    @Test
    void findsDamagedByteWhenReadingBytes() throws IOException {
        write(1_000_000, DataChecksum.Type.CRC32C);
        byte[] bytes = Files.readAllBytes(data);
        bytes[777_777] ^= 1;
        Files.write(data, bytes);

        ReplicaChecksums.check(data, meta, bytes.length, Check.CHECKSUMS);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, bytes.length, Check.BYTES))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("not those of their checksums");
    }

    @Test
    void refusesReplicasOfDifferentLength() throws IOException {
        write(5_000, DataChecksum.Type.CRC32C);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 4_999, Check.CHECKSUMS))
                .hasMessageContaining("has 5000 bytes, wanted 4999");
        byte[] sums = Files.readAllBytes(meta);
        Files.write(meta, Arrays.copyOf(sums, sums.length - 4));
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 5_000, Check.CHECKSUMS))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("file of checksums has");
        Files.write(meta, Arrays.copyOf(sums, 3));
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 5_000, Check.CHECKSUMS))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void acceptsBlockWhenItWasWrittenWithoutChecksums() throws IOException {
        write(5_000, DataChecksum.Type.NULL);
        assertThat(ReplicaChecksums.check(data, meta, 5_000, Check.CHECKSUMS)).hasSize(32);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 5_001, Check.CHECKSUMS))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("the block file has 5000 bytes");
    }

    @Test
    void refusesMissingOrUnsupportedChecksums() throws IOException {
        write(5_000, DataChecksum.Type.NULL);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 5_000, Check.BYTES))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("no checksums");
        write(5_000, DataChecksum.Type.CRC32C);
        byte[] sums = Files.readAllBytes(meta);
        sums[1] = 2;
        Files.write(meta, sums);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 5_000, Check.CHECKSUMS))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("checksums of version 2");
    }

    /** Clients choose their size; buffers for 1,024 of them would take the memory of the DataNode. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000, 3_000_000, 1_500_000_000, Integer.MAX_VALUE})
    void acceptsChunksOfAnySize(int chunk) throws Exception {
        write(2_500_000, DataChecksum.Type.CRC32C, chunk);
        byte[] sums = Files.readAllBytes(meta);
        byte[] wanted = MessageDigest.getInstance("MD5")
                .digest(Arrays.copyOfRange(sums, BlockMetadataHeader.getHeaderSize(), sums.length));

        assertThat(ReplicaChecksums.check(data, meta, 2_500_000, Check.CHECKSUMS))
                .isEqualTo(StringUtils.byteToHexString(wanted));
    }

    @Test
    void comparesLargeChunksAndRefusesHugeChunks() throws IOException {
        write(2_500_000, DataChecksum.Type.CRC32C, 3_000_000);
        ReplicaChecksums.check(data, meta, 2_500_000, Check.BYTES);

        write(2_500_000, DataChecksum.Type.CRC32C, 1_500_000_000);
        assertThatThrownBy(() -> ReplicaChecksums.check(data, meta, 2_500_000, Check.BYTES))
                .isInstanceOf(LinkRefusedException.class)
                .hasMessageContaining("chunks of 1500000000 bytes are too large");
    }

    private void write(int length, DataChecksum.Type type) throws IOException {
        write(length, type, 512);
    }

    private void write(int length, DataChecksum.Type type, int chunk) throws IOException {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        Files.write(data, bytes);
        DataChecksum checksum = DataChecksum.newDataChecksum(type, chunk);
        int chunks = (int) (((long) length + chunk - 1) / chunk);
        ByteBuffer sums = ByteBuffer.allocate(chunks * checksum.getChecksumSize());
        if (sums.capacity() > 0) {
            checksum.calculateChunkedSums(ByteBuffer.wrap(bytes), sums);
        }
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(meta))) {
            BlockMetadataHeader.writeHeader(out, checksum);
            out.write(sums.array());
        }
    }
}
