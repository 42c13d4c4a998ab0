/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/operating/migrate.md} typed word for word on hosts whose NameNodes run by the shipped unit: in, out, in again over the
 * journal that was left behind, out, and the release uninstalled.
 */
@NeedsRoot
@Tag("long")
class InstalledMigrationIT {
    private static final String JOURNAL_NODE =
            """
            [Unit]
            Description=HDFS JournalNode
            [Service]
            User=hdfs
            Group=hadoop
            Environment=HADOOP_HOME=/opt/hadoop HADOOP_CONF_DIR=/etc/hadoop/journalnode
            ExecStart=/opt/hadoop/bin/hdfs journalnode
            """;

    private static final String CORE =
            "<configuration><property><name>fs.defaultFS</name><value>hdfs://ns1</value></property></configuration>";

    private static final String QJM =
            """
            <configuration>
              <property><name>dfs.nameservices</name><value>ns1</value></property>
              <property><name>dfs.ha.namenodes.ns1</name><value>nn1,nn2,nn3</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn1</name><value>host1:8020</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn2</name><value>host2:8020</value></property>
              <property><name>dfs.namenode.rpc-address.ns1.nn3</name><value>host3:8020</value></property>
              <property><name>dfs.namenode.http-address.ns1.nn1</name><value>host1:9870</value></property>
              <property><name>dfs.namenode.http-address.ns1.nn2</name><value>host2:9870</value></property>
              <property><name>dfs.namenode.http-address.ns1.nn3</name><value>host3:9870</value></property>
              <property>
                <name>dfs.client.failover.proxy.provider.ns1</name>
                <value>org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider</value>
              </property>
              <property><name>dfs.namenode.name.dir</name><value>/data/1/nn</value></property>
              <property><name>dfs.journalnode.edits.dir</name><value>/data/1/jn</value></property>
              <property>
                <name>dfs.namenode.shared.edits.dir</name>
                <value>qjournal://host1:8485;host2:8485;host3:8485/ns1</value>
              </property>
              <property><name>dfs.ha.fencing.methods</name><value>shell(/bin/true)</value></property>
            </configuration>
            """;

    private final List<String> written = new ArrayList<>();

    @Test
    void clusterMigratesInAndOutTwiceAsDocumented() throws Exception {
        ReleaseArchive archive = ReleaseArchive.ofBuild();
        try (InstalledHosts hosts = new InstalledHosts(Map.of("<version>", archive.version()))) {
            hosts.copyToAll(archive.file());
            OperatorsPage install = OperatorsPage.read("install.md");
            OperatorsPage migrate = OperatorsPage.read("migrate.md");
            ReleaseIT.runAll(hosts, install.section("Hadoop, on every host"));
            ReleaseIT.runAll(hosts, install.section("The release, on every host"));
            setUpClusterOnQjm(hosts);

            write(hosts, "qjm");
            ReleaseIT.runAll(hosts, migrate.section("Before the way in"));
            ReleaseIT.runAll(hosts, migrate.section("In: QJM to ssp"));
            write(hosts, "ssp");
            ReleaseIT.runAll(hosts, migrate.section("Before the way out"));
            ReleaseIT.runAll(hosts, migrate.section("Out: ssp to QJM"));
            write(hosts, "qjm-again");
            ReleaseIT.runAll(hosts, migrate.section("Before the way in again"));
            // Over what was the end of the journal when the cluster left it.
            ReleaseIT.runAll(hosts, migrate.section("In: QJM to ssp"));
            write(hosts, "ssp-again");
            ReleaseIT.runAll(hosts, migrate.section("Before the way out"));
            ReleaseIT.runAll(hosts, migrate.section("Out: ssp to QJM"));
            ReleaseIT.runAll(hosts, install.section("Uninstalling"));
            Await.until(
                    "nn1 is active",
                    Await.TIMEOUT,
                    () -> hosts.host(1)
                                    .runTyped("sudo -u hdfs hdfs haadmin -transitionToActive --forceactive nn1")
                                    .exitCode()
                            == 0,
                    hosts::logs);
            write(hosts, "uninstalled");
            assertThat(hosts.alarms()).isEmpty();
        }
    }

    private static void setUpClusterOnQjm(InstalledHosts hosts) throws IOException, InterruptedException {
        for (int number = 1; number <= 3; number++) {
            InstalledHost host = hosts.host(number);
            Files.writeString(host.path("/etc/hadoop/conf/core-site.xml"), CORE);
            Files.writeString(host.path("/etc/hadoop/conf/hdfs-site.xml"), QJM);
            Files.writeString(host.path("/etc/systemd/system/hdfs-journalnode.service"), JOURNAL_NODE);
            for (String command : new String[] {
                "cp -r /etc/hadoop/conf /etc/hadoop/journalnode",
                "install -d /etc/hadoop/qjm",
                "cp /etc/hadoop/conf/hdfs-site.xml /etc/hadoop/qjm",
                "install -d -o hdfs -g hadoop -m 700 /data/1/nn /data/1/jn",
                "cp /opt/trefoil/conf/systemd/hdfs-namenode.service /etc/systemd/system/hdfs-namenode.service",
                "systemctl start hdfs-journalnode"
            }) {
                host.runTyped(command).expectSuccess();
            }
        }
        hosts.host(1)
                .runTyped("sudo -u hdfs hdfs namenode -format -nonInteractive")
                .expectSuccess();
        hosts.host(1).runTyped("systemctl start hdfs-namenode").expectSuccess();
        for (int number = 2; number <= 3; number++) {
            hosts.host(number)
                    .runTyped("sudo -u hdfs hdfs namenode -bootstrapStandby -nonInteractive")
                    .expectSuccess();
            hosts.host(number).runTyped("systemctl start hdfs-namenode").expectSuccess();
        }
        hosts.host(1).runTyped("sudo -u hdfs hdfs trefoil await nn1").expectSuccess();
        hosts.host(1)
                .runTyped("sudo -u hdfs hdfs haadmin -transitionToActive --forceactive nn1")
                .expectSuccess();
    }

    /** Leaves a directory, and finds all that were left before. */
    private void write(InstalledHosts hosts, String name) throws IOException, InterruptedException {
        try (FileSystem fileSystem = hosts.fileSystem()) {
            Path root = new Path("/");
            int before = fileSystem.listStatus(root).length;
            assertThat(fileSystem.mkdirs(new Path(root, name))).isTrue();
            assertThat(fileSystem.listStatus(root)).hasSize(before + 1);
            written.add(name);
            for (String one : written) {
                assertThat(fileSystem.exists(new Path(root, one))).as(one).isTrue();
            }
        }
    }
}
