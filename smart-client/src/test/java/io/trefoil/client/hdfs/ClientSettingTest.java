/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientSettingTest {
    private static final Path PAGE = Path.of("../docs/reference/client-settings.md");
    private static final Path GENERATED = Path.of("target/client-settings.md");
    private static final String HEAD =
            """
            # Settings of the smart client

            All of them stand in the client's `hdfs-site.xml` and are read when a file system is opened. Each may carry the
            suffix `.<nameservice>`, which counts more. This page is made from `ClientSetting`; a test compares it. What else
            to set: [smart-client.md](../operating/smart-client.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    @Test
    void theReferencePageIsThatOfTheSettings() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (ClientSetting setting : ClientSetting.all()) {
            String defaultText = setting.defaultText().isEmpty() ? "none" : "`" + setting.defaultText() + "`";
            page.append("| `" + setting.name() + "` | " + setting.type() + " | " + defaultText + " | ")
                    .append(setting.doc() + " |\n");
        }
        Files.writeString(GENERATED, page);

        assertThat(Files.readString(PAGE))
                .as("copy smart-client/" + GENERATED + " to docs/reference/client-settings.md")
                .isEqualTo(page.toString());
    }

    @Test
    void theSettingOfANameserviceCountsMore() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.client.smart.failover.timeout", "30s");
        conf.set("dfs.client.smart.failover.timeout.a", "2s");
        assertThat(ClientSetting.TIMEOUT.time(conf, "a")).isEqualTo(Duration.ofSeconds(2));
        assertThat(ClientSetting.TIMEOUT.time(conf, "b")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aTimeThatIsTooShortIsRefused() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.client.smart.suspect.after", "1ms");
        assertThatThrownBy(() -> ClientSetting.SUSPECT_AFTER.time(conf, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dfs.client.smart.suspect.after is 1ms, it must be at least 50ms");
    }
}
