/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A host whose directory does not say of which timeline it is, and that was left out of a restore. */
class OmittedHostTest {
    @RegisterExtension
    private final RestoreHosts hosts = new RestoreHosts("one");

    /** As {@code -bootstrapStandby} leaves it; only its images tell when that was. */
    @Test
    void detectsVoidDirectoryWithoutMarkByImage() throws Exception {
        String id = hosts.create("c");
        hosts.awaitComplete("c");
        hosts.one.makeDirectory("/void");
        hosts.one.saveNamespace("nn1");
        hosts.one.stop("nn2");
        hosts.one.copyNewestImage("nn1", "nn2");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--execute");
        hosts.startActive("nn1");
        hosts.start("nn2");
        hosts.awaitEnd("is from before the nameservice was restored to checkpoint " + id);
        hosts.one.stop("nn2");

        // A mark of another beginning of the journal.
        ExitUtil.resetFirstExitException();
        Path mark = hosts.timelineMark("nn2");
        Files.writeString(mark, "1000\n");
        hosts.start("nn2");
        hosts.awaitEnd("is from before the nameservice was restored to checkpoint " + id);
        hosts.one.stop("nn2");

        ExitUtil.resetFirstExitException();
        hosts.one.makeDirectory("/new");
        hosts.one.saveNamespace("nn1");
        hosts.one.copyNewestImage("nn1", "nn2");
        hosts.start("nn2");
        await().atMost(RestoreHosts.LIMIT).until(() -> Files.exists(mark) || ExitUtil.terminateCalled());
        assertThat(mark).exists();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** Behind it the nameservice went back again, to a checkpoint with a higher transaction than the image has. */
    @Test
    void detectsVoidDirectoryWithoutMarkAfterCheckpointDeletion() throws Exception {
        String id = hosts.create("c");
        hosts.awaitComplete("c");
        hosts.one.makeDirectory("/void");
        hosts.one.saveNamespace("nn1");
        hosts.one.stop("nn2");
        hosts.one.copyNewestImage("nn1", "nn2");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", id, "--execute");
        hosts.startActive("nn1");
        for (int i = 0; i < 20; i++) {
            hosts.one.makeDirectory("/more" + i);
        }
        String second = hosts.create("d");
        hosts.one.makeDirectory("/void-too");
        hosts.one.close();
        hosts.run(0, "nn1", "restore", second, "--execute");
        hosts.startActive("nn1");
        hosts.run(0, "nn1", "delete", id);
        hosts.one.makeDirectory("/new");

        hosts.start("nn2");
        Path mark = hosts.timelineMark("nn2");
        await().atMost(RestoreHosts.LIMIT).until(() -> Files.exists(mark) || ExitUtil.terminateCalled());
        assertThat(mark).doesNotExist();
        hosts.awaitEnd("is from before the nameservice was restored to checkpoint " + second);

        // The first restore is not undone with the second.
        hosts.one.close();
        ExitUtil.resetFirstExitException();
        hosts.run(0, "nn1", "restore", second, "--undo", "--again", "--execute");
        hosts.startActive("nn1");
        hosts.start("nn2");
        await().atMost(RestoreHosts.LIMIT).until(() -> Files.exists(mark) || ExitUtil.terminateCalled());
        assertThat(mark).doesNotExist();
        hosts.awaitEnd("is from before the nameservice was restored to checkpoint " + second);
    }
}
