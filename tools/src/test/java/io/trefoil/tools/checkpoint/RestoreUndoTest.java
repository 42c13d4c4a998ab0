/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.hdfs.CheckpointHost.ImageKeeper;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.pool.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The undo of a restore, and what is kept for it. */
class RestoreUndoTest {
    @RegisterExtension
    private final RestoreHosts hosts = new RestoreHosts("one");

    @Test
    void undoesRestore() throws Exception {
        String id = hosts.create("c");
        hosts.awaitComplete("c");
        hosts.one.makeDirectory("/wanted");
        hosts.run(0, "nn1", "create", "--name", "later", "--nameservices", "one");
        hosts.one.makeDirectory("/too");
        hosts.one.close();
        assertThat(hosts.run(1, "nn1", "restore", id, "--undo")).contains("was never restored to this checkpoint");
        hosts.restoreBoth(id);
        hosts.startBoth("nn1");
        assertThat(hosts.one.listNames("/")).isEmpty();
        hosts.one.makeDirectory("/mistake");
        assertThat(hosts.run(1, "nn1", "restore", id, "--undo", "--execute"))
                .contains("NameNodes [nn1, nn2] of nameservice one run", "Nothing was changed.");
        hosts.one.close();
        assertThat(hosts.run(1, "nn1", "restore", id, "--undo", "--execute"))
                .contains("were written since it was restored", "--again", "Nothing was changed.");

        assertThat(hosts.run(0, "nn1", "restore", id, "--undo", "--again"))
                .contains("gets the transactions again", "it can be done now");
        assertThat(hosts.run(0, "nn1", "restore", id, "--undo", "--again", "--execute"))
                .contains("the journal of one has the transactions up to", "is " + hosts.one.nameDirectory("nn1"));
        assertThat(hosts.run(0, "nn2", "restore", id, "--undo", "--execute")).doesNotContain("the journal of one");
        hosts.startBoth("nn2");
        assertThat(hosts.one.listNames("/")).containsExactlyInAnyOrder("wanted", "too");
        assertThat(hosts.run(0, "nn1", "list")).contains("c.", "later.");
        hosts.one.makeDirectory("/after");
        assertThat(ExitUtil.terminateCalled()).isFalse();

        hosts.one.close();
        assertThat(hosts.run(1, "nn1", "restore", id, "--execute")).contains("--again", "Nothing was changed.");
        assertThat(hosts.run(0, "nn1", "restore", id, "--execute", "--again")).contains("is new");
        assertThat(hosts.run(0, "nn2", "restore", id, "--execute")).contains("is new");
        hosts.startActive("nn1");
        assertThat(hosts.one.listNames("/")).isEmpty();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** The original timeline is beside the current one of the second host, and the undo is of a restore that came after it. */
    @Test
    void undoSkipsDirectoryMovedByAnotherRestore() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.restoreBoth(id);
        hosts.writeAndStop("/second");
        hosts.run(0, "nn1", "restore", id, "--execute", "--again");

        hosts.run(0, "nn1", "restore", id, "--undo", "--execute");
        assertThat(hosts.run(1, "nn2", "restore", id, "--undo", "--execute"))
                .contains("has nothing from before the restore", "-bootstrapStandby", "Nothing was changed.");
        hosts.startActive("nn1");
        assertThat(hosts.one.listNames("/")).containsExactly("second");
    }

    /** It still had the original timeline when the second restore moved it aside. */
    @Test
    void undoSkipsDirectoryOfPreviouslyOmittedHost() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.run(0, "nn1", "restore", id, "--execute");
        hosts.startActive("nn1");
        hosts.one.makeDirectory("/second");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--execute", "--again");
        hosts.run(0, "nn2", "restore", id, "--execute");

        hosts.run(0, "nn1", "restore", id, "--undo", "--execute");
        assertThat(hosts.run(1, "nn2", "restore", id, "--undo", "--execute"))
                .contains("has nothing from before the restore", "-bootstrapStandby", "Nothing was changed.");
    }

    /** An undo brings them back, and they are nothing without their images. */
    @Test
    void restoreKeepsImagesOfVoidedCheckpoints() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.startActive("nn1");
        String later = hosts.create("later");
        hosts.one.makeDirectory("/later");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--execute");
        hosts.startActive("nn1");
        String deleted = hosts.create("deleted");
        Path kept = hosts.one.nameDirectory("nn1").resolve("trefoil/checkpoints");
        await().atMost(RestoreHosts.LIMIT)
                .until(() -> Files.exists(kept.resolve(deleted).resolve("trefoil-lineage")));
        // As on a host of a standby, which is not told.
        Path away = hosts.directory.resolve("away");
        Files.move(kept.resolve(deleted), away);
        hosts.run(0, "nn1", "delete", deleted);
        Files.move(away, kept.resolve(deleted));

        Journal journal = NameserviceJournal.of(hosts.conf("nn1"), "one");
        try (ImageKeeper keeping = new ImageKeeper(hosts.one.nameNode("nn1"), journal, Duration.ZERO)) {
            keeping.start();
            await().atMost(RestoreHosts.LIMIT).until(() -> !Files.exists(kept.resolve(deleted)));
        }
        assertThat(kept.resolve(later)).isNotEmptyDirectory();
        assertThat(kept.resolve(id)).isNotEmptyDirectory();

        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--undo", "--again", "--execute");
        hosts.run(0, "nn1", "restore", later, "--execute");
    }
}
