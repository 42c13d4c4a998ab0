/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class Crc32cTest {

    private static final byte[] CHECK = "123456789".getBytes(StandardCharsets.US_ASCII);

    /** The check value that every catalogue of CRCs gives for CRC-32C. */
    @Test
    void matchesCatalogueCheckValue() {
        Checksum table = new TableCrc32c();
        table.update(CHECK, 0, CHECK.length);

        assertThat(table.getValue()).isEqualTo(0xE3069283L);
        assertThat(Crc32c.of(CHECK, 0, CHECK.length)).isEqualTo(0xE3069283);
    }

    @Test
    void prefersJdkChecksumWhenAvailable() {
        assertThat(Crc32c.jdkChecksum()).containsInstanceOf(CRC32C.class);
    }

    @Property
    void tableAndJdkAgree(
            @ForAll @Size(max = 200) byte[] first,
            @ForAll @Size(max = 200) byte[] second,
            @ForAll @IntRange(max = 7) int skip) {
        Checksum table = new TableCrc32c();
        Checksum jdk = Crc32c.jdkChecksum().orElseThrow();
        for (Checksum checksum : new Checksum[] {table, jdk}) {
            checksum.update(17);
            checksum.reset();
            int from = Math.min(skip, first.length);
            checksum.update(first, from, first.length - from);
            checksum.update(-3);
            checksum.update(second, 0, second.length);
        }
        assertThat(table.getValue()).isEqualTo(jdk.getValue());
    }
}
