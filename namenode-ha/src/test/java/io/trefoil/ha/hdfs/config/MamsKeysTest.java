/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.DeclaredKeys;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class MamsKeysTest {
    private static final Path PAGE = Path.of("../docs/reference/failover-settings.md");
    private static final Path GENERATED = Path.of("target/failover-settings.md");
    private static final String HEAD =
            """
            # Settings of automatic failover

            All of them stand in `hdfs-site.xml` and are read once, when a NameNode starts. Each may carry the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the more special one counts. This page is made from
            `MamsKeys`; a test compares it. What else to set: [automatic-failover.md](../operating/automatic-failover.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void namesFollowTheRules() {
        DeclaredKeys.assertNames("ha", MamsKeys.all());
    }

    @Test
    void theDefaultsThatHadoopLoadsAreThoseOfTheKeys() throws IOException {
        DeclaredKeys.assertDefaultsFile("namenode-ha", "ha", MamsKeys.all());
    }

    @Test
    void everyDefaultCanBeReadAndIsWithinItsBounds() {
        for (ConfigKey<?> key : MamsKeys.all()) {
            if (key.defaultText().isPresent()) {
                Configuration conf = new Configuration(false);
                conf.set(key.name(), key.defaultText().get());
                assertThat(key.find(SuffixedConfiguration.ofNameNode(conf))).isPresent();
            }
        }
    }

    @Test
    void theReferencePageIsThatOfTheKeys() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (ConfigKey<?> key : MamsKeys.all()) {
            page.append("| `").append(key.name()).append("` | ").append(key.type());
            page.append(key.boundText().isEmpty() ? "" : ", " + key.boundText());
            page.append(" | ")
                    .append(key.defaultText().map(text -> "`" + text + "`").orElse("none"));
            page.append(" | ").append(key.doc()).append(" |\n");
        }
        Files.writeString(GENERATED, page);

        assertThat(Files.readString(PAGE))
                .as("copy namenode-ha/" + GENERATED + " to docs/reference/failover-settings.md")
                .isEqualTo(page.toString());
    }
}
