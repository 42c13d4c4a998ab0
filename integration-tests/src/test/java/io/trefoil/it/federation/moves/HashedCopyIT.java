/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hashed directory that is in use becomes its owner's by the commands that {@code unhash} prints, each typed as it is. */
class HashedCopyIT {
    private static final String DIRECTORY = HashedFederation.DIRECTORY;
    private static final int FILES = 40;
    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);

    private HashedFederation federation;
    private FileSystem files;
    private int copies;

    @BeforeEach
    void start() throws IOException {
        federation = new HashedFederation("copied", WORLD_WRITABLE);
        files = federation.client();
    }

    @AfterEach
    void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        if (federation != null) {
            federation.close();
        }
    }

    @Test
    @Tag("long")
    void printedCopyCommandsCopyAllFiles() throws Exception {
        DistributedFileSystem owner = federation.first().newFileSystem();
        for (int i = 0; i < FILES; i++) {
            write("day" + i % 3 + "/file" + i, "text " + i);
        }
        files.mkdirs(pathOf("empty"));
        // Some of these go to the other nameservice.
        for (int i = 0; i < 5; i++) {
            assertThat(files.rename(pathOf("day0/file" + 3 * i), pathOf("day1/renamed" + i)))
                    .isTrue();
        }
        OutputStream open = files.create(pathOf("open"));
        open.write('a');

        ToolResult refused = federation.runTableCommand("unhash", DIRECTORY);
        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output()).contains("there is something in " + DIRECTORY);
        Map<String, String> wanted = Map.of();
        for (String line : refused.output().lines().toList()) {
            if (!line.startsWith("  ")) {
                continue;
            }
            if (line.contains("-update")) {
                assertOthersHaveNoAccess();
                open.write('b');
                open.close();
                wanted = content();
            }
            runCommand(line.trim());
            if (line.contains("distcp -i")) {
                // What comes after the first copy.
                write("day2/late", "late");
                assertThat(files.delete(pathOf("day2/file2"), false)).isTrue();
                assertThat(files.rename(pathOf("empty"), pathOf("renamed"))).isTrue();
            }
        }

        assertThat(wanted).hasSize(FILES + 1).containsEntry("open", "ab").containsEntry("day2/late", "late");
        assertThat(content()).isEqualTo(wanted);
        assertThat(files.getFileStatus(pathOf("renamed")).isDirectory()).isTrue();
        assertThat(files.exists(pathOf("empty"))).isFalse();
        assertThat(owner.getContentSummary(new Path(DIRECTORY)).getFileCount()).isEqualTo(FILES + 1);
        assertThat(owner.getFileStatus(new Path(DIRECTORY)).getPermission()).isEqualTo(WORLD_WRITABLE);
        write("by-a-client-that-was-there", "new");
        assertThat(owner.exists(pathOf("by-a-client-that-was-there"))).isTrue();
        assertThat(federation.runTableCommand("show").expectSuccess().output()).doesNotContain("hashed over");
        for (HaCluster one : federation.both()) {
            DistributedFileSystem past = one.newFileSystem();
            assertThat(past.exists(new Path("/.trefoil/hashed" + DIRECTORY + ".old")))
                    .isFalse();
            assertThat(past.listStatus(new Path("/.trefoil/hashed" + DIRECTORY)))
                    .isEmpty();
        }
        federation.markSucceeded();
    }

    private void assertOthersHaveNoAccess() throws Exception {
        try (FileSystem others = federation.clientOf("somebody")) {
            assertThatThrownBy(() -> others.create(pathOf("day0/more"), false).close())
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> others.delete(pathOf("day1/file1"), false))
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> others.mkdirs(pathOf("more"))).isInstanceOf(AccessControlException.class);
        }
    }

    private void runCommand(String command) {
        List<String> words = Arrays.asList(command.split(" "));
        String[] arguments = words.subList(2, words.size()).toArray(String[]::new);
        switch (words.get(0) + " " + words.get(1)) {
            case "hdfs dfs" ->
                federation
                        .first()
                        .tool("org.apache.hadoop.fs.FsShell", arguments)
                        .expectSuccess();
            case "hdfs dfsadmin" -> federation.first().dfsadmin(arguments).expectSuccess();
            case "hdfs trefoil" -> federation.first().trefoil(arguments).expectSuccess();
            case "hadoop distcp" -> distCp(arguments);
            default -> throw new AssertionError("no command " + command);
        }
    }

    /** In one process, without YARN: other tests cover MapReduce. */
    private void distCp(String... arguments) {
        copies++;
        Server copying = federation
                .first()
                .startProgram(new ClientProgram(
                        "distcp" + copies,
                        Jdk.ofThisJvm(),
                        List.of(),
                        StockHadoop.fromSystemProperties().yarnClassPath(),
                        SmartClientJar.PRESENT,
                        Map.of("mapreduce.framework.name", "local"),
                        "org.apache.hadoop.tools.DistCp",
                        List.of(arguments)));
        copying.awaitExit(0, Await.TIMEOUT);
        assertThat(copying.exits().get(0).code()).as(copying.describe()).isZero();
    }

    private static Path pathOf(String name) {
        return new Path(DIRECTORY, name);
    }

    private void write(String name, String text) throws IOException {
        try (OutputStream out = files.create(pathOf(name))) {
            out.write(text.getBytes(UTF_8));
        }
    }

    /** All files, as a superuser sees them. */
    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> all = files.listFiles(new Path(DIRECTORY), true);
        while (all.hasNext()) {
            Path file = all.next().getPath();
            try (FSDataInputStream in = files.open(file)) {
                String name = file.toUri().getPath().substring(DIRECTORY.length() + 1);
                content.put(name, new String(in.readAllBytes(), UTF_8));
            }
        }
        return content;
    }
}
