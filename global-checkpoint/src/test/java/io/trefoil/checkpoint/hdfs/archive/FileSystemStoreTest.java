/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemStoreTest {

    @TempDir
    Path directory;

    @Test
    void namesModuleWhenFileSystemIsMissing() {
        Configuration conf = new Configuration(false);
        conf.set("fs.s3a.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");

        assertThatThrownBy(() -> FileSystemStore.of(conf, "s3a://backup/hdfs"))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(
                        "s3a://backup/hdfs", "S3AFileSystem not found", "HADOOP_OPTIONAL_TOOLS=hadoop-aws");
        assertThatThrownBy(() -> FileSystemStore.of(conf, "s3a://backup:x y"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("s3a://backup:x y");
    }

    @Test
    void listsRemainingObjectsWhileOthersAreDeleted() throws Exception {
        FileSystemStore store = FileSystemStore.of(
                new Configuration(false), directory.resolve("archive").toUri().toString());
        assertThat(store.list("log")).isEmpty();
        store.put("log/1/stays", out -> out.write(1));
        AtomicBoolean end = new AtomicBoolean();
        CompletableFuture<Void> merging = CompletableFuture.runAsync(() -> {
            try {
                while (!end.get()) {
                    store.put("log/1/goes", out -> out.write(2));
                    store.delete("log/1/goes");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        try {
            for (int i = 0; i < 500; i++) {
                assertThat(store.list("log")).contains("log/1/stays").allMatch(name -> name.startsWith("log/1/"));
            }
        } finally {
            end.set(true);
            merging.join();
        }
    }
}
