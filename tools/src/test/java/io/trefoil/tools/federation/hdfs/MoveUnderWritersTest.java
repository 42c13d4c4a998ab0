/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Moves while clients write. */
class MoveUnderWritersTest extends SubtreeMoveFixture {

    @Test
    void acknowledgedWritesDuringMoveExistExactlyOnce() throws Exception {
        makeTree();
        try (TableStore own = new HdfsTableStore(federation.clientConfiguration(), describeLocations())) {
            Map<String, FileSystem> files = new TreeMap<>();
            for (String name : List.of("ns1", "ns2")) {
                files.put(name, callAsAlice(() -> federation.fileSystem(name)));
            }
            MoveRecord moved = moveWhileWriting(new Writer() {
                private String owner = "ns1";

                @Override
                void retryUntilDone(Call call) throws IOException {
                    while (true) {
                        try {
                            assertThat(call.invoke(files.get(owner))).isTrue();
                            return;
                        } catch (AccessControlException | NSQuotaExceededException e) {
                            owner = own.requireNewest().table().ownerOf(path);
                        }
                    }
                }
            });

            assertThat(moved.pauseMeasurements()).containsEntry("clients", "were refused");
        }
    }

    /** Clients that follow the table, at NameNodes that freeze. */
    @Test
    void clientsOfFrozenSubtreeWaitWithoutRefusal() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        Configuration conf = federation.clientConfiguration();
        conf.set("fs.viewfs.mounttable.path", describeLocations());
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        try (FileSystem files = callAsAlice(() -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
            AtomicBoolean stop = new AtomicBoolean();
            ExecutorService readers = Executors.newSingleThreadExecutor();
            Future<?> reading = readers.submit(() -> {
                while (!stop.get()) {
                    assertThat(read(files, "/small")).isEqualTo("small");
                }
                return null;
            });
            MoveRecord moved;
            try {
                moved = moveWhileWriting(new Writer() {
                    @Override
                    void retryUntilDone(Call call) throws IOException {
                        assertThat(call.invoke(files)).isTrue();
                    }
                });
            } finally {
                stop.set(true);
                reading.get();
                readers.shutdown();
            }

            assertThat(moved.pauseMeasurements()).containsEntry("clients", "waited");
            assertThat(Long.parseLong(moved.pauseMeasurements().get("millis"))).isPositive();
            assertThat(federation.frozenMarks()).isEmpty();
            runAs("alice", () -> assertThatThrownBy(() -> first.getFileStatus(pathOf("/small")))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining(path + " belongs to nameservice ns2 since version 2"));
            assertThat(read(first, new Path(table.tableDirectory() + "/moves/ended-" + moved.id())))
                    .contains("pause.clients=waited");
        }
    }

    /** Moves while a client writes, and compares what there is at the end with what the writer was told. */
    private MoveRecord moveWhileWriting(Writer writer) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> writing = thread.submit(writer);
        MoveRecord moved;
        try {
            await().atMost(LIMIT).until(() -> writer.done.get() > 20 || writing.isDone());
            MoveRecord record = record();
            moved = moves.connect(record, new WriterWaitingLimits(), 2, progress::add)
                    .run(SourceCleanup.DELETE_SOURCE);
            int before = writer.done.get();
            await().atMost(LIMIT).until(() -> writer.done.get() > before + 20 || writing.isDone());
        } finally {
            writer.stop = true;
            writing.get();
            thread.shutdown();
        }

        Map<String, String> found = new TreeMap<>();
        for (FileStatus one : second.listStatus(pathOf("/" + Writer.DIRECTORY))) {
            String name = one.getPath().getName();
            found.put(name, read(second, "/" + Writer.DIRECTORY + "/" + name));
        }
        assertThat(found).isEqualTo(writer.acknowledged);
        assertThat(progress).anyMatch(line -> line.startsWith("Version 2"));
        return moved;
    }

    /** Makes, renames and deletes files. */
    private abstract class Writer implements Callable<Void> {
        static final String DIRECTORY = "written";

        final Map<String, String> acknowledged = new TreeMap<>();
        final AtomicInteger done = new AtomicInteger();
        volatile boolean stop;

        /** Makes a call until it is done, which must not fail then. */
        abstract void retryUntilDone(Call call) throws IOException;

        @Override
        public Void call() throws Exception {
            retryUntilDone(fileSystem -> fileSystem.mkdirs(pathOf("/" + DIRECTORY)));
            for (int i = 0; !stop; i++) {
                changeFile(i);
                done.incrementAndGet();
            }
            return null;
        }

        private void changeFile(int number) throws IOException {
            String name = "new" + number;
            retryUntilDone(fileSystem -> {
                write(fileSystem, "/" + DIRECTORY + "/" + name, "text of " + name);
                return true;
            });
            acknowledged.put(name, "text of " + name);
            if (number % 3 == 0) {
                String other = "renamed" + number;
                retryUntilDone(
                        one -> one.rename(pathOf("/" + DIRECTORY + "/" + name), pathOf("/" + DIRECTORY + "/" + other)));
                acknowledged.put(other, acknowledged.remove(name));
            } else if (number % 3 == 1) {
                retryUntilDone(fileSystem -> fileSystem.delete(pathOf("/" + DIRECTORY + "/" + name), false));
                acknowledged.remove(name);
            }
        }
    }

    private interface Call {
        boolean invoke(FileSystem fileSystem) throws IOException;
    }

    /** Waits for writers. */
    private static final class WriterWaitingLimits extends SingleQueryLimits {
        @Override
        public List<String> awaitNone(ServerQuery query) throws IOException {
            await().atMost(LIMIT).until(() -> query.query().isEmpty());
            return query.query();
        }
    }
}
