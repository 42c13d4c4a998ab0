/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientSettingTest {
    private static final Path PAGE = Path.of("../docs/reference/client-settings.md");
    private static final Path GENERATED = Path.of("target/client-settings.md");
    private static final Path GENERATED_DEFAULTS = Path.of("target/trefoil-client-default.xml");
    private static final String DEFAULTS_HEAD =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
            <!-- Copyright The Trefoil Authors
                 SPDX-License-Identifier: Apache-2.0 -->
            <!-- Made from the declarations of the settings trefoil.client.*; a test compares it. Included by trefoil-default.xml. -->
            <configuration>
            """;
    private static final String HEAD =
            """
            # Settings of the smart client

            They are set in the client's `hdfs-site.xml`, and read when a file system is opened. Each may have the
            suffix `.<nameservice>`, which wins. This page is generated from `ClientSetting`. What else
            to set: [smart-client.md](../operating/smart-client.md).

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    private static final String TAIL =
            """

            ## Settings of HDFS's clients that it reads as well

            | property | default | meaning |
            | --- | --- | --- |
            | `dfs.client.failover.max.attempts`, `dfs.client.failover.sleep.base.millis`, `dfs.client.failover.sleep.max.millis` | `15`, `500`, `15000` \
            | how long and how often a call is attempted, as by a stock client |
            | `dfs.client.failover.namenode.ha-state.probe.timeout` | 5 s | how long a NameNode may take to say whether it is active before it is \
            asked again, at least `100ms`; nothing waits for it meanwhile. HDFS's own default, `0`, counts as not set |
            | `dfs.client.failover.observer.probe.retry.period` | 30 s | how often a client that reads from observers asks all NameNodes which of \
            them are observers, at least `1s`; it also asks, at most once a second, after a read that an observer sent back or did not answer. \
            The actual time is random, from half of this to all of it |
            | `dfs.federation.router.cache.ttl` | `1m` | how often a client that follows a table of subtrees looks for a newer version, \
            as Routers do, at least `1s`; it also does so whenever a call was refused or found nothing as if its version were an old one |
            | `dfs.client.failover.observer.auto-msync-period.<nameservice>` | `-1` | as for `ObserverReadProxyProvider` |
            """;

    @Test
    void settingNamesFollowRules() {
        List<String> names =
                ClientSetting.all().stream().map(ClientSetting::name).toList();

        assertThat(names).doesNotHaveDuplicates().allSatisfy(name -> {
            assertThat(name).matches("trefoil\\.client(\\.[a-z]+(-[a-z]+)*)+");
            assertThat(names).noneMatch(other -> other.startsWith(name + "."));
        });
    }

    @Test
    void removedSettingsAreUndeclaredAndListedInChangelog() throws IOException {
        String changes = Files.readString(Path.of("../CHANGELOG.md"));
        ClientSetting.removed().keySet().forEach(removed -> {
            assertThat(ClientSetting.all()).extracting(ClientSetting::name).noneMatch(name -> (name + ".")
                    .startsWith(removed + "."));
            assertThat(changes).contains("`" + removed + "`");
        });
    }

    @Test
    void referencePageMatchesSettings() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (ClientSetting setting : ClientSetting.all()) {
            String defaultText = setting.defaultText().isEmpty() ? "none" : "`" + setting.defaultText() + "`";
            page.append("| `" + setting.name() + "` | " + setting.type() + " | " + defaultText + " | ")
                    .append(setting.doc() + " |\n");
        }
        page.append(TAIL);
        Files.writeString(GENERATED, page);

        assertThat(Files.readString(PAGE))
                .as("copy smart-client/" + GENERATED + " to docs/reference/client-settings.md")
                .isEqualTo(page.toString());
    }

    @Test
    void defaultsFilesMatchSettings() throws IOException {
        StringBuilder file = new StringBuilder(DEFAULTS_HEAD);
        for (ClientSetting setting : ClientSetting.all()) {
            file.append("  <property>\n    <name>" + setting.name() + "</name>\n    <value>" + setting.defaultText())
                    .append("</value>\n    <description>\n");
            for (String line : lines(setting.doc() + " Type: " + setting.type() + ".")) {
                file.append("      "
                        + line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "\n");
            }
            file.append("    </description>\n  </property>\n");
        }
        Files.writeString(GENERATED_DEFAULTS, file.append("</configuration>\n"));

        assertSame(GENERATED_DEFAULTS);
        assertSame(Path.of("../journal-ssp/src/main/resources/trefoil-default.xml"));
        // Servers have it in the jar of foundation, which clients lack.
        Path failover = Path.of("../foundation/src/main/resources/trefoil-failover.xml");
        assertSame(failover);
        // The archive has jars, and no sources that a page could lead to.
        Path shown = Path.of("../docs/reference/trefoil-failover.xml");
        assertThat(shown).as("in smart-client: cp %s %s", failover, shown).hasSameTextualContentAs(failover);
    }

    private static void assertSame(Path expectedFile) {
        Path found = Path.of("src/main/resources").resolve(expectedFile.getFileName());
        assertThat(found)
                .as("in smart-client: cp %s %s", expectedFile, found)
                .exists()
                .hasSameTextualContentAs(expectedFile);
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.replace("`", "").split(" ")) {
            if (line.length() + word.length() > 110) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** As an hdfs-site.xml that begins with the file shows them. */
    @Test
    void includedDefaultsAreVisibleAndOverridable() {
        Configuration conf = new Configuration(false);
        conf.addResource(new ByteArrayInputStream(
                """
                <configuration xmlns:xi="http://www.w3.org/2001/XInclude">
                  <xi:include href="trefoil-default.xml"><xi:fallback/></xi:include>
                  <property><name>trefoil.client.site</name><value>west</value></property>
                </configuration>
                """
                        .getBytes(StandardCharsets.UTF_8)));

        assertThat(conf.get("trefoil.client.suspect-after")).isEqualTo("500ms");
        assertThat(conf.get("trefoil.client.site")).isEqualTo("west");
        assertThat(conf.get("trefoil.client.failover.timeout")).isNull();
        // The other jars are not there.
        assertThat(conf.size()).isEqualTo(2);
    }

    /** The line of the examples, on a host with the jar and on one without. */
    @Test
    void exampleNamesSmartClientOnlyWhereItsJarExists() {
        Path example = Path.of("../conf/examples/failover/hdfs-site.xml").toAbsolutePath();
        Configuration with = new Configuration(false);
        with.addResource(new org.apache.hadoop.fs.Path(example.toUri()));
        Configuration without = new Configuration(false);
        without.setClassLoader(ClassLoader.getPlatformClassLoader());
        without.addResource(new org.apache.hadoop.fs.Path(example.toUri()));

        assertThat(with.get("dfs.client.failover.proxy.provider.ns1"))
                .isEqualTo(SmartFailoverProxyProvider.class.getName());
        assertThat(without.get("dfs.client.failover.proxy.provider.ns1"))
                .isEqualTo("org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        assertThat(without.get("dfs.namenode.plugins")).isNull();
    }

    @Test
    void nameserviceSettingTakesPrecedence() {
        Configuration conf = new Configuration(false);
        conf.set("trefoil.client.failover.timeout", "30s");
        conf.set("trefoil.client.failover.timeout.a", "2s");
        assertThat(ClientSetting.TIMEOUT.time(conf, "a")).isEqualTo(Duration.ofSeconds(2));
        assertThat(ClientSetting.TIMEOUT.time(conf, "b")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void federationTimeoutUsesOnlySuffixedSetting() {
        Configuration conf = new Configuration(false);
        conf.set("trefoil.client.failover.timeout", "30s");
        assertThat(ClientSetting.TIMEOUT.findWithSuffix(conf, "cluster")).isEmpty();

        conf.set("trefoil.client.failover.timeout.cluster", "2s");
        assertThat(ClientSetting.TIMEOUT.findWithSuffix(conf, "cluster")).contains(Duration.ofSeconds(2));
    }

    @Test
    void siteMustBeSingleWord() {
        Configuration conf = new Configuration(false);
        assertThat(ClientSetting.SITE.identifier(conf, "a")).isEmpty();
        conf.set("trefoil.client.site", "west-2");
        assertThat(ClientSetting.SITE.identifier(conf, "a")).isEqualTo("west-2");

        conf.set("trefoil.client.site.a", "west, cellar");
        assertThatThrownBy(() -> ClientSetting.SITE.identifier(conf, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("trefoil.client.site is 'west, cellar'", "one word");
    }

    @Test
    void rejectsTooShortTime() {
        Configuration conf = new Configuration(false);
        conf.set("trefoil.client.suspect-after", "1ms");
        assertThatThrownBy(() -> ClientSetting.SUSPECT_AFTER.time(conf, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trefoil.client.suspect-after is 1ms, it must be at least 50ms");
    }
}
