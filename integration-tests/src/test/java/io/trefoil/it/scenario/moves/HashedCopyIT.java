/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.client.hdfs.subtrees.SubtreeFileSystem;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hashed directory that is in use becomes its owner's by the commands that {@code unhash} prints, each typed as it is. */
class HashedCopyIT {
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final String FOLDER = "/warehouse/events";
    private static final int FILES = 40;
    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);

    private HaCluster first;
    private HaCluster second;
    private Configuration conf;
    private FileSystem files;
    private int copies;

    @BeforeEach
    void start() throws IOException {
        first = nameservice("ns1").dataNodes(1).create();
        second = nameservice("ns2").create();
        FederatedClusters.startOnSharedDataNodes(List.of(first, second));
        // For all commands, as on a host of clients; the servers have read theirs.
        first.setProperty("fs.viewfs.mounttable.path", TABLE);
        first.setProperty("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf = first.clientConfiguration();
    }

    private static HaClusterBuilder nameservice(String name) {
        return FederatedClusters.lone("copied", name).property("dfs.replication", "1");
    }

    @AfterEach
    void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        second.close();
        first.close();
    }

    @Test
    @Tag("long")
    void itsCommandsLoseNothing() throws Exception {
        DistributedFileSystem owner = first.newFileSystem();
        owner.mkdirs(new Path(FOLDER));
        owner.setPermission(new Path(FOLDER), FOR_ALL);
        trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
        trefoil("table", "hash", FOLDER, "ns1,ns2", "--table", TABLE).expectSuccess();
        files = FileSystem.newInstance(URI.create("hdfs://cluster"), conf);
        for (int i = 0; i < FILES; i++) {
            write("day" + i % 3 + "/file" + i, "text " + i);
        }
        files.mkdirs(in("empty"));
        // Some of these go to the other nameservice.
        for (int i = 0; i < 5; i++) {
            assertThat(files.rename(in("day0/file" + 3 * i), in("day1/renamed" + i)))
                    .isTrue();
        }
        OutputStream open = files.create(in("open"));
        open.write('a');

        ToolResult refused = trefoil("table", "unhash", FOLDER, "--table", TABLE);
        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output()).contains("there is something in " + FOLDER);
        Map<String, String> wanted = Map.of();
        for (String line : refused.output().lines().toList()) {
            if (!line.startsWith("  ")) {
                continue;
            }
            if (line.contains("-update")) {
                assertNobodyElseGetsIn();
                open.write('b');
                open.close();
                wanted = content();
            }
            type(line.trim());
            if (line.contains("distcp -i")) {
                // What comes after the first copy.
                write("day2/late", "late");
                assertThat(files.delete(in("day2/file2"), false)).isTrue();
                assertThat(files.rename(in("empty"), in("renamed"))).isTrue();
            }
        }

        assertThat(wanted).hasSize(FILES + 1).containsEntry("open", "ab").containsEntry("day2/late", "late");
        assertThat(content()).isEqualTo(wanted);
        assertThat(files.getFileStatus(in("renamed")).isDirectory()).isTrue();
        assertThat(files.exists(in("empty"))).isFalse();
        assertThat(owner.getContentSummary(new Path(FOLDER)).getFileCount()).isEqualTo(FILES + 1);
        assertThat(owner.getFileStatus(new Path(FOLDER)).getPermission()).isEqualTo(FOR_ALL);
        write("by-a-client-that-was-there", "new");
        assertThat(owner.exists(in("by-a-client-that-was-there"))).isTrue();
        assertThat(trefoil("table", "show", "--table", TABLE).expectSuccess().output())
                .doesNotContain("hashed over");
        for (HaCluster one : List.of(first, second)) {
            DistributedFileSystem past = one.newFileSystem();
            assertThat(past.exists(new Path("/.trefoil/hashed" + FOLDER + ".old")))
                    .isFalse();
            assertThat(past.listStatus(new Path("/.trefoil/hashed" + FOLDER))).isEmpty();
        }
        first.succeeded();
        second.succeeded();
    }

    private void assertNobodyElseGetsIn() throws Exception {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("somebody");
        try (FileSystem others = user.doAs((PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
            assertThatThrownBy(() -> others.create(in("day0/more"), false).close())
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> others.delete(in("day1/file1"), false)).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> others.mkdirs(in("more"))).isInstanceOf(AccessControlException.class);
        }
    }

    private void type(String command) {
        List<String> words = Arrays.asList(command.split(" "));
        String[] arguments = words.subList(2, words.size()).toArray(String[]::new);
        switch (words.get(0) + " " + words.get(1)) {
            case "hdfs dfs" ->
                first.tool("org.apache.hadoop.fs.FsShell", arguments).expectSuccess();
            case "hdfs dfsadmin" -> first.dfsadmin(arguments).expectSuccess();
            case "hdfs trefoil" -> trefoil(arguments).expectSuccess();
            case "hadoop distcp" -> distCp(arguments);
            default -> throw new AssertionError("no command " + command);
        }
    }

    private ToolResult trefoil(String... arguments) {
        return first.trefoil(arguments);
    }

    /** In one process, without YARN: other tests cover MapReduce. */
    private void distCp(String... arguments) {
        copies++;
        Server copying = first.startProgram(new ClientProgram(
                "distcp" + copies,
                Jdk.ofThisJvm(),
                List.of(),
                StockHadoop.fromSystemProperties().yarnClassPath(),
                SmartClientJar.PRESENT,
                Map.of("mapreduce.framework.name", "local"),
                "org.apache.hadoop.tools.DistCp",
                List.of(arguments)));
        copying.awaitExit(0, Await.PATIENCE);
        assertThat(copying.exits().get(0).code()).as(copying.describe()).isZero();
    }

    private static Path in(String name) {
        return new Path(FOLDER, name);
    }

    private void write(String name, String text) throws IOException {
        try (OutputStream out = files.create(in(name))) {
            out.write(text.getBytes(UTF_8));
        }
    }

    /** All files, as a superuser sees them. */
    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> all = files.listFiles(new Path(FOLDER), true);
        while (all.hasNext()) {
            Path file = all.next().getPath();
            try (FSDataInputStream in = files.open(file)) {
                String name = file.toUri().getPath().substring(FOLDER.length() + 1);
                content.put(name, new String(in.readAllBytes(), UTF_8));
            }
        }
        return content;
    }
}
