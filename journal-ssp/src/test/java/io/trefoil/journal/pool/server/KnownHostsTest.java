/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.names.FakeNames;
import io.trefoil.foundation.names.HostFinder;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownHostsTest {
    @TempDir
    Path directory;

    private final FakeNames names = new FakeNames();
    private final HostFinder later = HostFinder.with(names);

    @BeforeEach
    void write() throws Exception {
        names.vanish();
        new KnownHosts(directory)
                .keep(Map.of(
                        "nn1", List.of(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1")),
                        "10.0.0.9", List.of(InetAddress.getByName("10.0.0.9"))));
    }

    @Test
    void aLaterProcessFindsHostsWhenNamesDoNotResolve() throws Exception {
        new KnownHosts(directory).recallTo(later);

        assertThat(later.find("nn1"))
                .containsExactly(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1"));
    }

    @Test
    void hasALineForEachNameAndAChecksum() throws Exception {
        assertThat(Files.readAllLines(directory.resolve("known.hosts")))
                .containsExactly("nn1=10.0.0.1 fd00:0:0:0:0:0:0:1", "crc32c=6252981e");
    }

    @Test
    void ignoresAFileThatIsDamaged() throws Exception {
        Path file = directory.resolve("known.hosts");
        String text = Files.readString(file);
        Files.writeString(file, text.replace("10.0.0.1", "10.0.0.2"), StandardCharsets.UTF_8);

        new KnownHosts(directory).recallTo(later);

        assertThat(later.lastAnswer("nn1")).isEmpty();
    }
}
