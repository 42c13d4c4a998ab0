/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.foundation.names.FakeNames;
import io.trefoil.foundation.names.HostResolver;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownHostsTest {
    @TempDir
    Path directory;

    private static final LocalDate DAY = LocalDate.of(2026, 11, 28);

    private final FakeNames names = new FakeNames();
    private final HostResolver later = HostResolver.with(names);

    @BeforeEach
    void write() throws Exception {
        names.vanish();
        hosts(HostResolver.with(names), DAY)
                .keep(Map.of(
                        "nn1", List.of(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1")),
                        "10.0.0.9", List.of(InetAddress.getByName("10.0.0.9"))));
    }

    @Test
    void laterProcessFindsHostsWhenNamesDoNotResolve() throws Exception {
        hosts(later, DAY).restore();

        assertThat(later.find("nn1"))
                .containsExactly(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1"));
    }

    @Test
    void fileHasLinePerNameAndChecksum() throws Exception {
        assertThat(Files.readAllLines(directory.resolve("known.hosts")))
                .containsExactly("nn1=10.0.0.1 fd00:0:0:0:0:0:0:1 @2026-11-28", "crc32c=39f1adfe");
    }

    @Test
    void fileFormatIsUnchanged() throws Exception {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("disk/known.hosts", Files.readAllBytes(directory.resolve("known.hosts")));

        for (byte[] file : golden.readAllReleases("disk/known.hosts").values()) {
            Files.write(directory.resolve("known.hosts"), file);
            HostResolver finder = HostResolver.with(names);
            hosts(finder, DAY).restore();
            assertThat(finder.find("nn1"))
                    .containsExactly(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1"));
        }
    }

    @Test
    void omitsFileWhenNoHostHasName() throws Exception {
        hosts(later, DAY).keep(Map.of("10.0.0.9", List.of(InetAddress.getByName("10.0.0.9"))));

        assertThat(directory.resolve("known.hosts")).doesNotExist();
    }

    @Test
    void ignoresDamagedFile() throws Exception {
        Path file = directory.resolve("known.hosts");
        String text = Files.readString(file);
        Files.writeString(file, text.replace("10.0.0.1", "10.0.0.2"), StandardCharsets.UTF_8);

        hosts(later, DAY).restore();

        assertThat(later.lastAnswer("nn1")).isEmpty();
    }

    @Test
    void forgetsHostsUnconfirmedForWeek() throws Exception {
        hosts(later, DAY.plusDays(8)).restore();
        assertThat(later.lastAnswer("nn1")).isEmpty();

        hosts(later, DAY.plusDays(7)).restore();
        assertThat(later.lastAnswer("nn1")).isNotEmpty();
    }

    /** Otherwise each restart without names would make them young again. */
    @Test
    void rewritingRestoredAnswerKeepsItsDate() throws Exception {
        hosts(later, DAY.plusDays(5)).restore();
        KnownHosts again = hosts(later, DAY.plusDays(5));
        assertThat(again.isDue()).isTrue();
        again.keep(later.lastAnswers());
        assertThat(again.isDue()).isFalse();

        assertThat(Files.readAllLines(directory.resolve("known.hosts")))
                .first()
                .asString()
                .endsWith("@2026-11-28");
    }

    @Test
    void omitsHostsWhenFileIsFull() throws Exception {
        Map<String, List<InetAddress>> many = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            many.put("host" + i, List.of(InetAddress.getByName("10.0.0.1")));
        }
        hosts(later, DAY).keep(many);

        hosts(later, DAY).restore();
        assertThat(later.lastAnswers()).hasSize(200);
    }

    private KnownHosts hosts(HostResolver finder, LocalDate today) {
        return new KnownHosts(directory, finder, () -> today);
    }
}
