/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NameNodes of stock Hadoop with the jars of a release, on bookies that want TLS and a login by SASL. */
@Tag("long")
class RelocatedJarIT {
    @TempDir
    private static Path directory;

    private static Bookies bookies;
    private static NameNodeProcesses group;
    private static FileSystem client;

    @BeforeAll
    static void startGroup() throws Exception {
        BookieSecurity security = new BookieSecurity(directory);
        javax.security.auth.login.Configuration.setConfiguration(null);
        System.setProperty(
                "java.security.auth.login.config", security.clientLogin().toString());
        bookies = security.startBookies(Bytes.ofUtf8("secret"));
        group = new NameNodeProcesses(directory.resolve("group"), "ns1", bookies);
        group.setClassPath(releaseClassPath());
        group.addOption("-Djava.security.auth.login.config=" + security.clientLogin());
        group.set("trefoil.bookkeeper.client.conf", security.tlsAndSasl().toString());
        group.format();
        group.startAll();
        client = group.client();
    }

    @AfterAll
    static void stopGroup() throws Exception {
        System.clearProperty("java.security.auth.login.config");
        for (AutoCloseable each : new AutoCloseable[] {client, group, bookies}) {
            if (each != null) {
                each.close();
            }
        }
    }

    /** What Hadoop ships, its web pages, and our jars: of BookKeeper nothing but what the jar under test contains. */
    static String releaseClassPath() throws IOException {
        Path jars = Path.of(System.getProperty("trefoil.hadoop.classpath.file"));
        return String.join(
                File.pathSeparator,
                jars.resolveSibling("webapps-root").toString(),
                Files.readString(jars).trim(),
                System.getProperty("trefoil.jars"));
    }

    @Test
    void classPathHasNoOtherClientOfBookKeeper() throws Exception {
        assertThat(releaseClassPath())
                .contains("/trefoil-journal-bookkeeper-")
                .doesNotContain("/org/apache/bookkeeper/");
    }

    @Test
    void standbyTakesOverWithoutLossWhenActiveIsKilled() throws Exception {
        String active = group.awaitActive();
        group.names().stream().filter(name -> !name.equals(active)).forEach(group::awaitStandby);
        List<org.apache.hadoop.fs.Path> acknowledged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/before-kill" + i);
            client.mkdirs(path);
            acknowledged.add(path);
        }

        group.kill(active);
        group.awaitActiveOtherThan(active);

        client.mkdirs(new org.apache.hadoop.fs.Path("/after-kill"));
        for (org.apache.hadoop.fs.Path path : acknowledged) {
            assertThat(client.exists(path)).as("%s", path).isTrue();
        }
        group.start(active);
        group.awaitStandby(active);
    }
}
