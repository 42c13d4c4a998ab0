/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code enable} and {@code disable}, on the file of a cluster with QJM. */
class SiteCommandsTest {
    private static final String QJM =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration>
              <property><name>dfs.nameservices</name><value>ns1</value></property>
              <property><name>dfs.ha.namenodes.ns1</name><value>nn1, nn2,nn3</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn1</name><value>a.example.com:8020</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn2</name><value>b.example.com:8020</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn3</name><value>c.example.com:8020</value></property>
              <property><name>dfs.namenode.name.dir</name><value>/data/1/nn,/data/2/nn</value></property>
              <property><name>dfs.namenode.shared.edits.dir</name><value>qjournal://j1:8485;j2:8485;j3:8485/ns1</value></property>
              <property><name>dfs.ha.fencing.methods</name><value>sshfence</value></property>
              <property><name>dfs.namenode.plugins</name><value>com.example.Plugin</value></property>
            </configuration>
            """;

    private final FakePool trefoil = new FakePool(1);

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("hdfs-site.xml");
        Files.writeString(file, QJM);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    private int run(String... arguments) {
        String[] all = Stream.concat(Stream.of(arguments), Stream.of("--file", file.toString()))
                .toArray(String[]::new);
        return trefoil.run(all);
    }

    private SiteProperties read() throws IOException {
        return SiteProperties.parse(Files.readString(file));
    }

    private List<String> listNames() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(one -> one.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void showsChangeWithoutExecute() throws Exception {
        assertThat(run("enable", "--journal-dir", "/data/1/ssp")).isEqualTo(ExitCode.FINE);

        assertThat(trefoil.output)
                .startsWith("--- " + file.toRealPath())
                .contains("+    <value>ssp://a.example.com:8487;b.example.com:8487;c.example.com:8487/ns1</value>")
                .contains(" </configuration>")
                .endsWith(String.format("Nothing was changed; --execute does it.%n"));
        assertThat(Files.readString(file)).isEqualTo(QJM);
        assertThat(listNames()).containsExactly("hdfs-site.xml");
    }

    @Test
    void enableConfiguresJournalAndKeepsBackup() throws Exception {
        assertThat(run("enable", "--journal-dir", "/data/1/ssp", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(read().values())
                .containsEntry("trefoil.journal.dir", "/data/1/ssp")
                .containsEntry("dfs.namenode.edits.journal-plugin.ssp", "io.trefoil.journal.hdfs.SspJournalManager")
                .containsEntry(
                        "dfs.namenode.shared.edits.dir.ns1",
                        "ssp://a.example.com:8487;b.example.com:8487;c.example.com:8487/ns1")
                .containsEntry("dfs.namenode.plugins", "com.example.Plugin,io.trefoil.journal.hdfs.SspTailingPlugin")
                .containsEntry("dfs.ha.fencing.methods", "sshfence")
                .containsEntry("dfs.namenode.resource.checked.volumes", "/data/1/nn,/data/2/nn,/data/1/ssp")
                .doesNotContainKey("dfs.ha.automatic-failover.enabled");
        assertThat(directory.resolve("hdfs-site.xml.before-1")).hasContent(QJM);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void printsMigrationHintWhenEditsAreInOtherStorage() throws Exception {
        assertThat(run("enable", "--journal-dir", "/data/1/ssp")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output)
                .contains("install -d -o hdfs -g hadoop -m 700 /data/1/ssp", "'hdfs trefoil preflight'")
                .contains("The edits of ns1 are in qjournal://", "docs/operating/migrate.md")
                .doesNotContain("For the way in");

        assertThat(run("enable", "--journal-dir", "/data/1/ssp", "--automatic-failover"))
                .isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("For the way in, leave --automatic-failover out");

        Files.writeString(
                file,
                QJM.replace(
                        "</configuration>",
                        "<property><name>dfs.ha.automatic-failover.enabled</name><value>true</value></property></configuration>"));
        assertThat(run("enable", "--journal-dir", "/data/1/ssp")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("set dfs.ha.automatic-failover.enabled to false in this file");
    }

    @Test
    void enableRequiresFailoverAndClientOptions() throws Exception {
        assertThat(run(
                        "enable",
                        "--journal-dir",
                        "/d",
                        "--port",
                        "9000",
                        "--automatic-failover",
                        "--smart-client",
                        "--execute"))
                .isEqualTo(ExitCode.FINE);

        assertThat(read().values())
                .containsEntry(
                        "dfs.namenode.plugins",
                        "com.example.Plugin,io.trefoil.journal.hdfs.SspTailingPlugin,io.trefoil.ha.hdfs.MamsPlugin")
                .containsEntry("dfs.ha.automatic-failover.enabled", "true")
                .containsEntry(
                        "dfs.client.failover.proxy.provider.ns1", "io.trefoil.client.hdfs.SmartFailoverProxyProvider");
        assertThat(read().get("dfs.namenode.edits.dir.ns1").get()).contains("b.example.com:9000");
        assertThat(trefoil.output).contains("ha.zookeeper.quorum", "Stop all ZKFCs", "lib/client");
    }

    @Test
    void disableRestoresFileByteForByte() throws Exception {
        run("enable", "--journal-dir", "/data/1/ssp", "--execute");

        assertThat(run("disable")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("-    <value>/data/1/ssp</value>", "Nothing was changed");
        assertThat(run("disable", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(Files.readString(file)).isEqualTo(QJM);
        assertThat(listNames()).containsExactly("hdfs-site.xml", "hdfs-site.xml.before-1", "hdfs-site.xml.before-2");
        assertThat(run("disable", "--execute")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("has no block");
        assertThat(listNames()).hasSize(3);
    }

    @Test
    void repeatedEnableChangesOnlyDifferences() throws Exception {
        run("enable", "--journal-dir", "/data/1/ssp", "--execute");

        assertThat(run("enable", "--journal-dir", "/data/1/ssp", "--execute")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("already has the journal");
        assertThat(listNames()).hasSize(2);

        assertThat(run("enable", "--journal-dir", "/data/9/ssp")).isEqualTo(ExitCode.FINE);
        assertThat(trefoil.output).contains("-    <value>/data/1/ssp</value>", "+    <value>/data/9/ssp</value>");
    }

    @Test
    void followsSymlink() throws Exception {
        Path real = Files.move(
                file, Files.createDirectory(directory.resolve("real")).resolve("site.xml"));
        Files.createSymbolicLink(file, real);

        assertThat(run("enable", "--journal-dir", "/d", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(file).isSymbolicLink();
        assertThat(Files.readString(real)).contains("SspJournalManager");
    }

    @Test
    void readsPropertiesWrittenAsAttributes() throws Exception {
        Files.writeString(
                file,
                QJM.replace(
                        "<property><name>dfs.nameservices</name><value>ns1</value></property>",
                        "<property name=\"dfs.nameservices\" value=\"ns1\"/>"));
        assertThat(run("enable", "--journal-dir", "/d")).isEqualTo(ExitCode.FINE);

        assertRefused(
                QJM.replace(
                        "<property><name>dfs.namenode.plugins</name>",
                        "<property final=\"true\"><name>dfs.namenode.plugins</name>"),
                "dfs.namenode.plugins, found it final");
    }

    @Test
    void keepsCheckingConfiguredVolumes() throws Exception {
        Files.writeString(
                file,
                QJM.replace(
                        "</configuration>",
                        """
                        <property><name>dfs.namenode.resource.checked.volumes</name><value>/var/log,/data/2/nn</value></property>
                        </configuration>"""));

        assertThat(run("enable", "--journal-dir", "/d", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(read().values())
                .containsEntry("dfs.namenode.resource.checked.volumes", "/var/log,/data/2/nn,/data/1/nn,/d");
    }

    @Test
    void mentionsIncludedFiles() throws Exception {
        Files.writeString(
                file,
                QJM.replace(
                        "<configuration>",
                        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"other.xml\"/>"));

        assertThat(run("enable", "--journal-dir", "/d")).isEqualTo(ExitCode.FINE);

        assertThat(trefoil.output).contains("The file includes others");
    }

    @Test
    void eachNameserviceGetsJournal() throws Exception {
        Files.writeString(
                file,
                QJM.replace("<value>ns1</value>", "<value>ns1,ns2</value>")
                        .replace(
                                "</configuration>",
                                """
                                <property><name>dfs.ha.namenodes.ns2</name><value>x,y</value></property>
                                <property><name>dfs.namenode.rpc-address.ns2.x</name><value>d:8020</value></property>
                                <property><name>dfs.namenode.rpc-address.ns2.y</name><value>e:8020</value></property>
                                </configuration>"""));

        assertThat(run("enable", "--journal-dir", "/d", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(read().get("dfs.namenode.shared.edits.dir.ns2")).hasValue("ssp://d:8487;e:8487/ns2");
        assertThat(trefoil.output).contains("ns2 has two NameNodes");
    }

    @Test
    void reportsObstaclesWithoutChange() throws Exception {
        assertRefused(QJM.replace("dfs.nameservices", "dfs.nothing"), "dfs.nameservices");
        assertRefused(QJM.replace("nn1, nn2,nn3", "nn1"), "two NameNodes or more");
        assertRefused(QJM.replace("ns1.nn3", "ns1.nn4"), "dfs.namenode.rpc-address.ns1.nn3");
        assertRefused(QJM.replace("c.example.com", "a.example.com"), "two on a.example.com");
        assertRefused(QJM.replace("c.example.com:8020", "${nn.host}:8020"), "found '${nn.host}:8020'");
        assertRefused(
                QJM.replace("com.example.Plugin</value>", "com.example.Plugin</value><final>true</final>"),
                "dfs.namenode.plugins, found it final");
        assertRefused(
                QJM.replace("edits.dir<", "edits.dir.ns1.nn2<"), "dfs.namenode.shared.edits.dir.ns1.nn2; remove it");
        assertRefused(QJM.replace("</configuration>", ""), "Not well-formed XML in line 13");
        assertRefused(QJM.replace("UTF-8", "ISO-8859-1"), "found encoding ISO-8859-1");
        Files.write(file, "<configuration>ä</configuration>".getBytes(ISO_8859_1));
        assertThat(run("enable", "--journal-dir", "/d", "--execute")).isEqualTo(ExitCode.USAGE);
        assertThat(trefoil.errors).contains("found other bytes");
    }

    private void assertRefused(String text, String reason) throws IOException {
        Files.writeString(file, text);

        assertThat(run("enable", "--journal-dir", "/d", "--execute")).as(reason).isEqualTo(ExitCode.USAGE);

        assertThat(trefoil.errors).contains(reason);
        assertThat(Files.readString(file)).isEqualTo(text);
        assertThat(listNames()).containsExactly("hdfs-site.xml");
    }

    @Test
    void refusesInvalidCommandLines() {
        assertThat(run("enable")).isEqualTo(ExitCode.USAGE);
        assertThat(trefoil.errors).contains("--journal-dir");
        assertThat(run("enable", "--journal-dir", "ssp")).isEqualTo(ExitCode.USAGE);
        assertThat(trefoil.errors).contains("begins with a slash, got ssp");
        assertThat(run("enable", "--journal-dir", "/d", "--port", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(trefoil.run("disable", "--file", directory.resolve("none").toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(trefoil.errors).contains("There is no file");
    }

    @Test
    void refusesToOverwriteLeftoverDraft() throws Exception {
        Path draft = Files.createFile(directory.resolve("hdfs-site.xml.draft"));

        assertThat(run("enable", "--journal-dir", "/d", "--execute")).isEqualTo(ExitCode.FINDING);

        assertThat(trefoil.errors).contains(draft.getFileName().toString(), "delete it");
        assertThat(Files.readString(file)).isEqualTo(QJM);
        assertThat(draft).exists();
    }

    @Test
    void enableReportsChangeAndDiffAsJson() {
        assertThat(run("enable", "--journal-dir", "/d", "--json")).isEqualTo(ExitCode.FINE);

        assertThat(trefoil.output)
                .contains("\"differs\": true", "\"executed\": false", "\"backup\": null", "\"diff\": \"--- ");
    }
}
