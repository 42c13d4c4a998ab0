/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two nameservices go back together, host by host; and every refusal leaves all files as they were. */
class HostRestoreTest {
    @RegisterExtension
    private final RestoreHosts hosts = new RestoreHosts("one", "other");

    private TestNameservice other;

    @Test
    void restoresAllNameNodesAndStopsOmittedHost() throws Exception {
        other = hosts.nameservices.get(1);
        makeDirectories("/before");
        String id = CheckpointJson.parse(hosts.run(0, "nn1", "create", "--name", "c", "--json"))
                .path("id")
                .asText();
        hosts.awaitComplete("c");
        makeDirectories("/after");
        assertThat(hosts.run(0, "nn1", "verify", "c", "--deep")).contains("everything that it needs is there");
        assertRefusedWhileNameNodesRun(id);
        CheckpointId incompleteCheckpoint = createIncompleteCheckpoint();
        hosts.nameservices.forEach(TestNameservice::close);
        assertRefusedIfIncomplete(incompleteCheckpoint);
        assertRefusedWithDamagedImage(id);
        assertRefusedWithoutImage(id);
        assertRefusedIfOtherRuns();

        JsonNode plan = CheckpointJson.parse(hosts.run(0, "nn1", "restore", "c", "--json"));
        assertThat(plan.path("voided").asLong()).isPositive();
        assertThat(plan.path("lost")).isEmpty();
        assertThat(plan.path("hindrances")).isEmpty();
        assertThat(hosts.run(0, "nn1", "restore", id, "--execute"))
                .contains("are exported to", "the journal of one ends at transaction", "is now");
        assertThat(hosts.run(0, "nn1", "restore", id, "--execute"))
                .contains("everything was already as it " + "should be");
        assertThat(hosts.run(0, "nn2", "restore", id)).contains("is back at transaction", "not known any more");
        assertThat(hosts.run(0, other, "nn2", "restore", id, "--execute")).contains("the journal of other ends");
        // Only the rest of a try that ended between two renames.
        Path current = other.nameDirectory("nn1").resolve("current");
        Files.move(current, current.resolveSibling("current.before"));
        assertThat(hosts.run(0, other, "nn1", "restore", id, "--execute")).doesNotContain("the journal of other");

        hosts.start("nn1");
        other.restart(hosts.nameservices, "nn1");
        other.restart(hosts.nameservices, "nn2");
        for (TestNameservice nameservice : hosts.nameservices) {
            nameservice.makeActive("nn1");
            assertThat(nameservice.listNames("/")).containsExactly("before");
            nameservice.makeDirectory("/new");
        }
        assertThat(ExitUtil.terminateCalled()).isFalse();
        hosts.start("nn2");
        hosts.awaitEnd("is from before the nameservice was restored to checkpoint " + id);
        restoreSingleNameservice();
    }

    /** The NameNodes of the other have no part in it, and run. */
    private void restoreSingleNameservice() throws IOException {
        String id = hosts.create("alone");
        hosts.one.close();
        assertThat(hosts.run(0, "nn1", "restore", id)).contains("it can be done now");
        hosts.run(0, "nn1", "restore", id, "--execute");
        assertThat(hosts.run(0, "nn1", "restore", id, "--undo")).contains("it can be done now");
    }

    private void makeDirectories(String path) throws IOException {
        for (TestNameservice nameservice : hosts.nameservices) {
            nameservice.makeDirectory(path);
        }
    }

    private void assertRefusedWhileNameNodesRun(String id) throws IOException {
        assertThat(hosts.run(0, "nn1", "restore", id))
                .contains(
                        "dry run, nothing is changed",
                        "files that will miss blocks: 0",
                        "NameNodes [nn1, nn2] of nameservice one run",
                        "NameNodes of other nameservices of the checkpoint run: {other=[nn1, nn2]}",
                        "is in use");
        assertThat(hosts.run(1, "nn1", "restore", id, "--execute")).contains("Nothing was changed.");
        assertThat(hosts.run(1, "nn1", "restore", "never")).contains("Wanted one checkpoint 'never', found 0");
    }

    private void assertRefusedWithDamagedImage(String id) throws IOException {
        Path kept =
                hosts.one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(kept.getParent().getParent())))
                .as("others on the host, who must not see the keys in images")
                .isEqualTo("rwx------");
        Path checksum;
        try (Stream<Path> files = Files.list(kept)) {
            checksum = files.filter(file -> file.toString().endsWith(".md5"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] good = Files.readAllBytes(checksum);
        byte[] bad = good.clone();
        bad[0] = (byte) (bad[0] == '0' ? '1' : '0');
        // Another file: this one is linked into current, too.
        Files.delete(checksum);
        Files.write(checksum, bad);
        Map<Path, Integer> before = fileContents();
        assertThat(hosts.run(1, "nn1", "restore", id)).contains("it cannot be done", "is damaged", "-bootstrapStandby");
        assertThat(hosts.run(1, "nn1", "restore", id, "--execute")).contains("is damaged", "Nothing was changed.");
        assertThat(fileContents()).isEqualTo(before);
        Files.write(checksum, good);
    }

    /** A barrier in nameservice one alone, as a coordinator leaves it that dies in the middle. */
    private CheckpointId createIncompleteCheckpoint() throws IOException {
        CheckpointId incompleteCheckpoint = CheckpointId.of("half", "00000001");
        try (RemoteParticipants participants = new RemoteParticipants(
                TestNameservice.clientConfiguration(hosts.nameservices), Duration.ofMinutes(1))) {
            Grant grant = participants.freeze(
                    "one", FreezeOrder.of(incompleteCheckpoint, FreezeOrder.MAX_HOLD_MILLIS, false));
            participants.cut("one", grant, Agreement.of(incompleteCheckpoint, 1, 0, "one", List.of("one", "other")));
        }
        return incompleteCheckpoint;
    }

    private void assertRefusedIfIncomplete(CheckpointId incompleteCheckpoint) throws IOException {
        Map<Path, Integer> before = fileContents();
        assertThat(hosts.run(1, "nn1", "restore", incompleteCheckpoint.toString()))
                .contains("it cannot be done", "incomplete", "no barrier in other");
        assertThat(hosts.run(1, "nn1", "restore", incompleteCheckpoint.toString(), "--execute"))
                .contains("incomplete", "Nothing was changed.");
        assertThat(hosts.run(1, other, "nn1", "restore", incompleteCheckpoint.toString(), "--execute", "--alone"))
                .contains("Nothing was changed.");
        assertThat(fileContents()).isEqualTo(before);
    }

    private void assertRefusedWithoutImage(String id) throws IOException {
        Path kept =
                hosts.one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
        Path away = hosts.directory.resolve("away");
        Files.move(kept, away);
        Map<Path, Integer> before = fileContents();
        assertThat(hosts.run(1, "nn1", "restore", id, "--execute"))
                .contains("keeps no image for the checkpoint", "there is none", "Nothing was changed.");
        assertThat(fileContents()).isEqualTo(before);
        Files.move(away, kept);
    }

    private void assertRefusedIfOtherRuns() throws IOException {
        other.restart(hosts.nameservices, "nn2");
        Map<Path, Integer> before = fileContents();
        assertThat(hosts.run(1, "nn1", "restore", "c", "--execute")).contains("{other=[nn2]}", "--alone");
        assertThat(fileContents()).isEqualTo(before);
        assertThat(hosts.run(0, "nn1", "restore", "c", "--alone")).contains("it can be done now");
        other.stop("nn2");
    }

    /** Of all files of nameservice one, the journal among them. */
    private Map<Path, Integer> fileContents() throws IOException {
        Map<Path, Integer> contents = new TreeMap<>();
        // Not those of others, which may run and delete files.
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(hosts.directory, "one*")) {
            for (Path directory : directories) {
                try (Stream<Path> files = Files.walk(directory)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        contents.put(file, Arrays.hashCode(Files.readAllBytes(file)));
                    }
                }
            }
        }
        return contents;
    }
}
