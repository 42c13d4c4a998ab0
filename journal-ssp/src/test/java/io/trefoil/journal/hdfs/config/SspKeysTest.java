/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.hdfs.DeclaredKeys;
import io.trefoil.journal.hdfs.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SspKeysTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");
    private static final Path GENERATED = Path.of("target/configuration.md");

    @Test
    void namesAndDefaultsStayUnchanged() {
        Map<String, Optional<String>> keys = new LinkedHashMap<>();
        SspKeys.allKeys().forEach(key -> keys.put(key.name(), key.defaultText()));

        Map<String, Optional<String>> pinned = new LinkedHashMap<>();
        pinned.put("trefoil.journal.dir", Optional.empty());
        pinned.put("trefoil.journal.address", Optional.empty());
        pinned.put("trefoil.journal.bind-host", Optional.empty());
        pinned.put("trefoil.journal.embedded", Optional.of("true"));
        pinned.put("trefoil.journal.replicas.min", Optional.of("2"));
        pinned.put("trefoil.journal.ack.policy", Optional.of("quorum"));
        pinned.put("trefoil.journal.fsync", Optional.of("true"));
        pinned.put("trefoil.journal.trace.dir", Optional.empty());
        pinned.put("trefoil.journal.lease", Optional.of("5s"));
        pinned.put("trefoil.journal.ack.timeout", Optional.of("1s"));
        pinned.put("trefoil.journal.catch-up.bandwidth", Optional.of("64m"));
        pinned.put("trefoil.journal.log.file.size", Optional.of("64m"));
        pinned.put("trefoil.journal.format.void", Optional.empty());
        pinned.put("trefoil.journal.networks.nodes", Optional.empty());
        pinned.put("trefoil.journal.networks.operators", Optional.empty());
        pinned.put("trefoil.journal.tls", Optional.of("off"));
        pinned.put("trefoil.journal.writers", Optional.empty());
        pinned.put("trefoil.journal.insecure.no-authentication", Optional.of("false"));
        pinned.put("trefoil.journal.kerberos.principal", Optional.empty());
        pinned.put("trefoil.journal.keytab.file", Optional.empty());
        assertThat(keys).isEqualTo(pinned);
    }

    @Test
    void namesFollowRules() {
        DeclaredKeys.assertNames("journal", SspKeys.allKeys());
    }

    @Test
    void removedNamesDoNotCollideWithKeys() throws IOException {
        DeclaredKeys.assertRemoved(new SspKeys());
    }

    @Test
    void loadedDefaultsMatchKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("journal-ssp", "journal", SspKeys.allKeys());
    }

    @Test
    void everyDefaultIsReadableAndWithinBounds() {
        DeclaredKeys.assertDefaultsCanBeRead(SspKeys.allKeys());
    }

    @Test
    void referencePageMatchesKeys() throws IOException {
        String page = ReferencePage.of(SspKeys.allKeys());
        Files.writeString(GENERATED, page);

        assertThat(Files.readString(PAGE))
                .as("copy journal-ssp/" + GENERATED + " to docs/reference/configuration.md")
                .isEqualTo(page);
    }
}
