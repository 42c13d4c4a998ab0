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
    private Path directory;

    private static String readShippedUnit(String name) throws IOException {
        return Files.readString(SHIPPED.resolve(name));
    }

    @Test
    void parserAcceptsShippedUnits() throws Exception {
        UnitFile nameNode = UnitFile.of(readShippedUnit("hdfs-namenode.service"));
        UnitFile poolNode = UnitFile.of(readShippedUnit("trefoil-pool-node.service"));

        assertThat(nameNode.isRestarted()).isTrue();
        assertThat(nameNode.words("Conflicts")).containsExactly("trefoil-pool-node.service");
        assertThat(poolNode.words("RestartPreventExitStatus")).containsExactly("2");
    }

    @Test
    void nameNodeStartHasNoTimeoutDuringPreparation() throws Exception {
        assertThat(List.of(
                        UnitFile.of(readShippedUnit("hdfs-namenode.service")),
                        UnitFile.of(BIGTOP, readShippedUnit("hadoop-hdfs-namenode.service.d/trefoil.conf"))))
                .allSatisfy(unit -> {
                    assertThat(unit.list("ExecStartPre")).isNotEmpty();
                    assertThat(unit.value("TimeoutStartSec")).contains("infinity");
                });
    }

    @Test
    void dropInReplacesCommandsAfterClearingThem() throws Exception {
        UnitFile unit = UnitFile.of(BIGTOP, readShippedUnit("hadoop-hdfs-namenode.service.d/trefoil.conf"));

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
    void refusesUnitWithUnknownLine(String line) {
        assertThatThrownBy(() -> UnitFile.of("[Service]\nExecStart=/bin/true\n" + line))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    @NeedsRoot
    void serviceIsRetriedWhenPreStartCommandFails() throws Exception {
        Path wanted = directory.resolve("wanted");
        try (SimulatedService service = newService(
                "ExecStartPre=/bin/sh -c 'test -e " + wanted + "'\nExecStart=/bin/sleep 600\nRestart=always")) {
            assertThat(service.start()).isFalse();
            Files.createFile(wanted);
            Await.until("it runs", Await.TIMEOUT, () -> serviceOutput().equals("active"), service::tail);
            service.kill();
            Await.until("it runs again", Await.TIMEOUT, () -> serviceOutput().equals("active"), service::tail);
            service.stop();
            assertThat(serviceOutput()).isEqualTo("ended");
        }
    }

    @Test
    @NeedsRoot
    void serviceStaysDownWhenExitCodePreventsRestart() throws Exception {
        try (SimulatedService service =
                newService("ExecStart=/bin/sh -c 'exit 2'\nRestart=always\nRestartPreventExitStatus=2")) {
            service.start();
            Await.until("it is given up", Await.TIMEOUT, () -> serviceOutput().equals("failed"), service::tail);
        }
    }

    @Test
    @NeedsRoot
    void startedServiceHasEnvironmentOfUnit() throws Exception {
        Files.writeString(directory.resolve("more"), "# what operators add\nMORE=of it\n");
        try (SimulatedService service = newService(
                "Environment=ONE=1 TWO=2\nEnvironmentFile=" + directory.resolve("more")
                        + "\nEnvironmentFile=-/nowhere\nWorkingDirectory=/usr\nLimitNOFILE=123\nExecStart=/bin/sh -c 'env; pwd; ulimit -n'")) {
            service.start();
            Await.until("it has ended", Await.TIMEOUT, () -> serviceOutput().equals("ended"), service::tail);
            assertThat(service.tail())
                    .contains("\nONE=1\n", "\nTWO=2\n", "\nMORE=of it\n", "\n/usr\n123\n", "\nUSER=root\n")
                    .doesNotContain("JAVA");
        }
    }

    private SimulatedService newService(String text) throws IOException {
        return SimulatedService.of(
                "it",
                UnitFile.of(text),
                script -> new ProcessBuilder("bash", "-c", script),
                directory,
                directory.toString());
    }

    private String serviceOutput() throws IOException {
        Path file = directory.resolve("it.unit/state");
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }
}
