/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.files.ManifestsTest;
import io.trefoil.journal.hdfs.FakeJournal;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/** Before a NameNode writes it must be known that its namespace is not void. */
class ImageRetainerTest {
    private static final String NAME = "late.00000001";
    private static final String READABLE =
            CheckpointJson.toJson(ManifestsTest.checkpoint("late", 20)).toString();

    @TempDir
    private Path directory;

    private final NameNode nameNode = Mockito.mock(NameNode.class);
    private ImageRetainer keeper;

    @BeforeEach
    void retainImages() throws IOException {
        Files.createDirectories(directory.resolve("current"));
        Configuration conf = new Configuration(false);
        conf.set("dfs.namenode.name.dir", directory.toUri().toString());
        Mockito.when(nameNode.getConf()).thenReturn(conf);
        keeper = new ImageRetainer(nameNode, new FakeJournal("ns1"));
    }

    private static Barriers barrier(String text) {
        return Barriers.of(List.of(Barrier.of(NAME, 20, 5, text)));
    }

    @Test
    void acceptsBarrierOnJournalTimeline() {
        assertThat(keeper.writeObjection(barrier(READABLE))).isEmpty();
    }

    @Test
    void forbidsWritingWhenBarrierIsUnreadable() {
        for (String text : new String[] {"", "no JSON", "{}", READABLE.replace("txId", "of a newer version")}) {
            assertThat(keeper.writeObjection(barrier(text))).hasValueSatisfying(reason -> assertThat(reason)
                    .contains("is void since a restore is not known")
                    .contains("Barrier " + NAME + " after transaction 20")
                    .contains("if a newer version wrote it, install that on this host"));
        }
    }

    @Test
    void forbidsWritingWhenNameDirectoryIsUnreadable() throws IOException {
        Files.writeString(directory.resolve("current/trefoil-lineage"), "no number");

        assertThat(keeper.writeObjection(barrier(READABLE)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("found 'no number'"));
    }
}
