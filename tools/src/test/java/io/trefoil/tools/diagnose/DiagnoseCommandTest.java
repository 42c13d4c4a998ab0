/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.TrefoilCommand;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.HostFacts;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is in the archive for an issue, and what must not be. */
class DiagnoseCommandTest {
    private static final List<String> SECRETS = List.of(
            "hunter2-keystore",
            "zk-digest-pw",
            "xYz/acc0untKey==",
            "s3cr3tOfHttp",
            "pr0xyPw",
            "t0k3nOf0auth",
            "KEYTABBYTES",
            "inLogOnly9");

    private final FakePool cluster = new FakePool(3);
    private final Map<String, String> settings = new TreeMap<>();

    @TempDir
    private Path directory;

    private Path archive;

    @BeforeEach
    void setUpHost() throws IOException {
        archive = directory.resolve("issue.zip");
        settings.put("dfs.nameservices", "ns1");
        settings.put("dfs.namenode.shared.edits.dir", "ssp://host1:8487;host2:8487/ns1");
        settings.put("trefoil.journal.lease", "5s");
        settings.put("dfs.block.access.token.enable", "true");
        settings.put("ssl.server.keystore.password", "hunter2-keystore");
        settings.put("ha.zookeeper.auth", "digest:hdfs:zk-digest-pw");
        settings.put("fs.azure.account.key.store.blob", "xYz/acc0untKey==");
        settings.put("hadoop.http.authentication.signature.secret", "s3cr3tOfHttp");
        settings.put("some.proxy", "http://user:pr0xyPw@proxy:3128");
        settings.put("fs.adl.oauth2.refresh.token", "t0k3nOf0auth");
        settings.put("hadoop.security.credential.provider.path", "jceks://file/etc/hdfs.jceks");
        Path storage = Files.createDirectories(directory.resolve("nn/current"));
        Files.writeString(storage.resolve("VERSION"), "KEYTABBYTES");
        Files.writeString(directory.resolve("nn.keytab"), "KEYTABBYTES");
        Path logs = Files.createDirectories(directory.resolve("logs"));
        Files.writeString(
                logs.resolve("hadoop-hdfs-namenode-host1.log"),
                """
                INFO started with hunter2-keystore
                WARN trying password=inLogOnly9 at host2
                WARN the last line
                """);
        Files.writeString(logs.resolve("hdfs-audit.log"), "cmd=open src=/private\n");
        Files.writeString(logs.resolve("nn.keytab"), "KEYTABBYTES");
        cluster.facts = () -> new HostFacts() {
            @Override
            public Map<String, String> settings() {
                return settings;
            }

            @Override
            public boolean isSensitive(String name) {
                return name.endsWith("only.hadoop.knows");
            }

            @Override
            public List<Path> logDirectories() {
                return List.of(logs);
            }

            @Override
            public List<Path> storageDirectories() {
                return List.of(directory.resolve("nn"), directory.resolve("gone"));
            }

            @Override
            public Map<String, String> versions() {
                return Map.of("hadoop", "3.4.3");
            }
        };
    }

    private Map<String, String> read() throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                texts.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    @Test
    void archiveIsCompleteWhenServersAnswer() throws IOException {
        assertThat(cluster.run("diagnose", "--to", archive.toString())).isEqualTo(ExitCode.FINE);

        Map<String, String> texts = read();
        assertThat(texts.get("view.txt")).contains("nn1", "exit code");
        assertThat(texts.get("history.txt")).contains("Failovers of group ns1");
        assertThat(texts.get("journal-status.txt")).contains("host1:8487");
        assertThat(texts.get("settings.txt"))
                .contains(
                        "trefoil.journal.lease=5s\n",
                        "=ssp://host1:8487;host2:8487/ns1\n",
                        "dfs.block.access.token.enable=true\n");
        assertThat(texts.get("versions.txt")).isEqualTo("hadoop=3.4.3\n");
        assertThat(texts.get("disks.txt"))
                .contains("freeMiB=", "current/VERSION", "gone\n  java.nio.file.NoSuchFileException");
        assertThat(texts.get("linkage.txt")).contains("Trefoil runs on this Hadoop");
        assertThat(texts.get("metrics.txt")).contains("==> nn1 at host1:9870 <==", "ACTIVE");
        assertThat(String.join("", texts.values()))
                .contains("WARN the last line")
                .doesNotContain("/private");
        assertThat(texts.get("README.txt")).contains("preflight.txt: there", "settings.txt: there");
    }

    @Test
    void omitsSecretsOfSettingsLogsAndFiles() throws IOException {
        settings.put("of.ours.only.hadoop.knows", "hadoopKnowsIt");
        cluster.nameNodes.pages.put("host1:9870", "{\"beans\":[{\"url\":\"ha digest:hdfs:zk-digest-pw\"}]}");

        assertThat(cluster.run("diagnose", "--to", archive.toString())).isEqualTo(ExitCode.FINE);

        String all = String.join("\n", read().values());
        assertThat(all).doesNotContain(SECRETS).doesNotContain("hadoopKnowsIt", "hdfs.jceks");
        assertThat(all)
                .contains(
                        "ssl.server.keystore.password=<hidden>",
                        "of.ours.only.hadoop.knows=<hidden>",
                        "some.proxy=http://user:<hidden>@proxy:3128",
                        "INFO started with <hidden>",
                        "password=<hidden> at host2");
        assertThat(directory.toFile().list()).noneMatch(name -> name.endsWith(".tmp"));
    }

    @Test
    void writesArchiveInTimeWhenCommandHangs() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        DiagnoseCommand.Commands hanging = arguments -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "";
        };
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);

        int code = TrefoilCommand.execute(
                new CommandLine(new DiagnoseCommand(cluster, hanging, Duration.ofSeconds(1))),
                writer,
                writer,
                "--to",
                archive.toString());

        assertThat(code).isEqualTo(ExitCode.FINE);
        assertThat(read().get("README.txt")).contains("status.txt: not done within 1 s", "versions.txt: there");
        assertThat(out.toString()).contains("Written to " + archive);
    }

    @Test
    void archiveReportsUnresponsiveServers() throws IOException {
        cluster.nameNodes.pages.clear();
        cluster.all().forEach(node -> node.silence = "refused");

        assertThat(cluster.run("diagnose", "--to", archive.toString())).isEqualTo(ExitCode.FINE);

        assertThat(read().get("status.txt")).contains("No NameNode of ns1 says how it is", "exit code 3");
        assertThat(read().get("metrics.txt")).contains("Connection refused");
    }

    @Test
    void writesNothingWhenDirectoryIsMissing() {
        assertThat(cluster.run("diagnose", "--to", directory.resolve("no/x.zip").toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(cluster.errors).startsWith("--to must be in a directory that can be written to, got " + directory);
        assertThat(cluster.run("diagnose", "--to", directory.toString())).isEqualTo(ExitCode.USAGE);
    }
}
