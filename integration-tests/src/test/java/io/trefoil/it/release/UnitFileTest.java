/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stand-in for systemd: what it takes from the shipped units, what it refuses, and how a service lives. */
class UnitFileTest {
    private static final Path SHIPPED = Path.of("../conf/systemd");

    /** What systemd makes of an init script of Bigtop's packages. */
    private static final String BIGTOP =
            """
            [Unit]
            Description=LSB: Hadoop namenode
            [Service]
            Restart=no
            TimeoutStopSec=5min
            ExecStart=/etc/init.d/hadoop-hdfs-namenode start
            ExecStop=/etc/init.d/hadoop-hdfs-namenode stop
            """;

    @TempDir
    private Path folder;

    private static String shipped(String name) throws IOException {
        return Files.readString(SHIPPED.resolve(name));
    }

    @Test
    void shippedUnitsAreKnownWhenRead() throws Exception {
        UnitFile nameNode = UnitFile.of(shipped("hdfs-namenode.service"));
        UnitFile poolNode = UnitFile.of(shipped("trefoil-pool-node.service"));

        assertThat(nameNode.isRestarted()).isTrue();
        assertThat(nameNode.words("Conflicts")).containsExactly("trefoil-pool-node.service");
        assertThat(poolNode.words("RestartPreventExitStatus")).containsExactly("2");
    }

    @Test
    void nameNodeStartHasNoTimeoutDuringPreparation() throws Exception {
        assertThat(List.of(
                        UnitFile.of(shipped("hdfs-namenode.service")),
                        UnitFile.of(BIGTOP, shipped("hadoop-hdfs-namenode.service.d/trefoil.conf"))))
                .allSatisfy(unit -> {
                    assertThat(unit.list("ExecStartPre")).isNotEmpty();
                    assertThat(unit.value("TimeoutStartSec")).contains("infinity");
                });
    }

    @Test
    void dropInReplacesCommandsWhenItEmptiesThem() throws Exception {
        UnitFile unit = UnitFile.of(BIGTOP, shipped("hadoop-hdfs-namenode.service.d/trefoil.conf"));

        assertThat(unit.list("ExecStart")).containsExactly("/usr/bin/hdfs namenode");
        assertThat(unit.list("ExecStop")).isEmpty();
        assertThat(unit.isRestarted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RestartSteps=3",
                "Type=forking",
                "Restart=on-failure",
                "ExecStartPre=-/bin/false",
                "ExecStartPre=/bin/echo %n",
                "ExecStart=/bin/true"
            })
    void unitIsRefusedWhenLineIsNotKnown(String line) {
        assertThatThrownBy(() -> UnitFile.of("[Service]\nExecStart=/bin/true\n" + line))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    @NeedsRoot
    void serviceIsTriedAgainWhenCommandBeforeItFails() throws Exception {
        Path wanted = folder.resolve("wanted");
        try (Service service =
                service("ExecStartPre=/bin/sh -c 'test -e " + wanted + "'\nExecStart=/bin/sleep 600\nRestart=always")) {
            assertThat(service.start()).isFalse();
            Files.createFile(wanted);
            Await.until("it runs", Await.PATIENCE, () -> said().equals("active"), service::tail);
            service.kill();
            Await.until("it runs again", Await.PATIENCE, () -> said().equals("active"), service::tail);
            service.stop();
            assertThat(said()).isEqualTo("ended");
        }
    }

    @Test
    @NeedsRoot
    void serviceStaysDownWhenExitCodePreventsRestart() throws Exception {
        try (Service service = service("ExecStart=/bin/sh -c 'exit 2'\nRestart=always\nRestartPreventExitStatus=2")) {
            service.start();
            Await.until("it is given up", Await.PATIENCE, () -> said().equals("failed"), service::tail);
        }
    }

    @Test
    @NeedsRoot
    void serviceHasEnvironmentOfUnitWhenStarted() throws Exception {
        Files.writeString(folder.resolve("more"), "# what operators add\nMORE=of it\n");
        try (Service service = service(
                "Environment=ONE=1 TWO=2\nEnvironmentFile=" + folder.resolve("more")
                        + "\nEnvironmentFile=-/nowhere\nWorkingDirectory=/usr\nLimitNOFILE=123\nExecStart=/bin/sh -c 'env; pwd; ulimit -n'")) {
            service.start();
            Await.until("it has ended", Await.PATIENCE, () -> said().equals("ended"), service::tail);
            assertThat(service.tail())
                    .contains("\nONE=1\n", "\nTWO=2\n", "\nMORE=of it\n", "\n/usr\n123\n", "\nUSER=root\n")
                    .doesNotContain("JAVA");
        }
    }

    private Service service(String text) throws IOException {
        return Service.of(
                "it", UnitFile.of(text), script -> new ProcessBuilder("bash", "-c", script), folder, folder.toString());
    }

    private String said() throws IOException {
        Path file = folder.resolve("it.unit/state");
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }
}
