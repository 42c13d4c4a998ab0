/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.it.clients.HttpFs;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.Server;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who speaks HTTP reaches a subtree that has moved through HttpFS, to which the NameNode that had it sends them. */
@Tag("long")
class MovedSubtreeByHttpIT {
    private static final Path SUBTREE = new Path("/data/logs");
    private static final Path OLD = new Path(SUBTREE, "old");
    private static final Path RENAMED = new Path(SUBTREE, "renamed");
    private static final Path NEW = new Path(SUBTREE, "folder/new");

    @Test
    void httpFsFollowsTable() throws Exception {
        try (MovingFederation federation = new MovingFederation(MovedSubtreeByHttpIT::withProxyUser)) {
            DistributedFileSystem source = federation.clientOfNameservice(MovingFederation.KEEPER);
            DistributedFileSystem target = federation.clientOfNameservice(MovingFederation.OTHER);
            source.mkdirs(SUBTREE);
            source.setOwner(SUBTREE, "alice", "staff");
            Server httpFs = HttpFs.start(
                    federation.cluster(MovingFederation.KEEPER),
                    "httpfs",
                    SmartClientJar.PRESENT,
                    documentedSettings());
            try (FileSystem alice = fileSystemOfAlice(HttpFs.uri(httpFs))) {
                LogWriter.write(alice, OLD);
                assertThat(LogWriter.read(source, OLD)).isEqualTo(OLD.getName());

                federation.start("move", SUBTREE.toString(), "--to", MovingFederation.OTHER);
                assertThat(federation.exitCode()).as(federation.commandOutput()).isZero();

                assertRedirectsToHttpFs(federation
                        .cluster(MovingFederation.KEEPER)
                        .awaitActive()
                        .webHdfs());
                assertThat(LogWriter.read(alice, OLD)).isEqualTo(OLD.getName());
                LogWriter.write(alice, NEW);
                assertThat(LogWriter.read(alice, NEW)).isEqualTo(NEW.getName());
                assertThat(alice.rename(OLD, RENAMED)).isTrue();
                assertThat(alice.listStatus(SUBTREE))
                        .extracting(status -> status.getPath().getName())
                        .containsExactly(NEW.getParent().getName(), RENAMED.getName());
            }
            assertThat(LogWriter.read(target, NEW)).isEqualTo(NEW.getName());
            assertThat(LogWriter.read(target, RENAMED)).isEqualTo(OLD.getName());
            assertThat(target.getFileStatus(NEW).getOwner()).isEqualTo("alice");
            assertThat(source.listStatus(SUBTREE)).isEmpty();
            federation.markSucceeded();
        }
    }

    /** HttpFS acts for its callers. */
    private static HaClusterBuilder withProxyUser(HaClusterBuilder builder) {
        String user = System.getProperty("user.name");
        return builder.property("hadoop.proxyuser." + user + ".hosts", "*")
                .property("hadoop.proxyuser." + user + ".groups", "*");
    }

    private static Map<String, String> documentedSettings() {
        return Map.of(
                "fs.defaultFS",
                "hdfs://cluster",
                "fs.viewfs.mounttable.path",
                MovingFederation.TABLE,
                "fs.hdfs.impl",
                SubtreeFileSystem.class.getName());
    }

    private static FileSystem fileSystemOfAlice(URI web) throws IOException, InterruptedException {
        return UserGroupInformation.createRemoteUser("alice")
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(web, new Configuration()));
    }

    private static void assertRedirectsToHttpFs(URI nameNode) throws IOException, InterruptedException {
        try (FileSystem alice = fileSystemOfAlice(nameNode)) {
            assertThatThrownBy(() -> alice.getFileStatus(OLD))
                    .hasMessageContaining("/data/logs belongs to nameservice " + MovingFederation.OTHER)
                    .hasMessageContaining("or HttpFS or a Router that follows the table");
        }
    }
}
