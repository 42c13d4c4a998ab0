/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.checkpoint.hdfs.HostRestore;
import io.trefoil.checkpoint.hdfs.ImageKeeper;
import io.trefoil.checkpoint.hdfs.KeptImages;
import io.trefoil.checkpoint.hdfs.NameDirectoryFiles;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Restored;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.RestoreWishes;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.tools.TrefoilCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way back on stock NameNodes in this JVM, whose pool nodes outlive them; and every refusal leaves all files as they were. */
class HostRestoreTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final RestoreWishes AGAIN =
            RestoreWishes.builder().again(true).build();

    @TempDir
    private Path directory;

    private List<TestNameservice> nameservices;
    private TestNameservice one;
    private TestNameservice other;

    @BeforeEach
    void start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        one = new TestNameservice("one", directory);
        other = new TestNameservice("other", directory);
        nameservices = List.of(one, other);
        for (TestNameservice nameservice : nameservices) {
            nameservice.start(nameservices);
        }
    }

    @AfterEach
    void stop() throws IOException {
        nameservices.forEach(TestNameservice::close);
        PoolProcess.closeAll();
    }

    @Test
    void allNameNodesGoBackAndOneThatWasLeftOutEnds() throws Exception {
        makeDirectories("/before");
        String id = Documents.parse(run(0, one, "nn1", "create", "--name", "c", "--json"))
                .path("id")
                .asText();
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        makeDirectories("/after");
        assertThat(run(0, one, "nn1", "verify", "c", "--deep")).contains("everything that it needs is there");
        refusedWhileNameNodesRun(id);
        CheckpointId half = halfACheckpoint();
        nameservices.forEach(TestNameservice::close);
        refusedIfIncomplete(half);
        refusedWithADamagedImage(id);
        refusedWithoutAnImage(id);
        refusedIfTheOtherRuns();

        JsonNode plan = Documents.parse(run(0, one, "nn1", "restore", "c", "--json"));
        assertThat(plan.path("voided").asLong()).isPositive();
        assertThat(plan.path("lost")).isEmpty();
        assertThat(plan.path("hindrances")).isEmpty();
        assertThat(run(0, one, "nn1", "restore", id, "--execute"))
                .contains("are exported to", "the journal of one ends at transaction", "is now");
        assertThat(run(0, one, "nn1", "restore", id, "--execute")).contains("everything was as it should be already");
        assertThat(run(0, one, "nn2", "restore", id)).contains("is back at transaction", "not known any more");
        assertThat(run(0, other, "nn2", "restore", id, "--execute")).contains("the journal of other ends");
        // Only the rest of a try that ended between two renames.
        Path current = other.nameDirectory("nn1").resolve("current");
        Files.move(current, current.resolveSibling("current.before"));
        assertThat(run(0, other, "nn1", "restore", id, "--execute")).doesNotContain("the journal of other");

        one.restart(nameservices, "nn1");
        other.restart(nameservices, "nn1");
        other.restart(nameservices, "nn2");
        for (TestNameservice nameservice : nameservices) {
            nameservice.makeActive("nn1");
            assertThat(nameservice.names("/")).containsExactly("before");
            nameservice.makeDirectory("/new");
        }
        assertThat(ExitUtil.terminateCalled()).isFalse();
        one.restart(nameservices, "nn2");
        await().atMost(LIMIT).until(ExitUtil::terminateCalled);
        assertThat(ExitUtil.getFirstExitException())
                .hasMessageContaining("is from before the nameservice was taken back to checkpoint " + id);
    }

    /** The second way back to the same checkpoint ends before the barrier says that it is done, and is gone again. */
    @Test
    void aHostThatWasLeftOutOfASecondTryIsKnownToo() throws Exception {
        String id = checkpointAndWork();
        for (String nameNode : List.of("nn1", "nn2")) {
            run(0, one, nameNode, "restore", id, "--execute");
        }
        workAndStop("/void-too");
        HostRestore dying = dying(entry(EntryKind.SEGMENT_END, 1));
        assertThatThrownBy(() -> dying.execute(dying.plan(checkpoint(id), AGAIN), "first"))
                .hasMessage("killed");
        assertThat(run(0, one, "nn1", "restore", id, "--execute")).contains("the journal of one ends at transaction");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        assertThat(one.names("/")).isEmpty();
        assertThat(ExitUtil.terminateCalled()).isFalse();
        one.restart(nameservices, "nn2");
        await().atMost(LIMIT).until(ExitUtil::terminateCalled);
        assertThat(ExitUtil.getFirstExitException())
                .hasMessageContaining("is from before the nameservice was taken back");
    }

    /** Each try ends one entry later than the one before; the first says --again, and the others need not. */
    @Test
    void aRestoreThatEndedBeforeAnyOfItsEntriesIsGoneOnWith() throws Exception {
        String id = checkpointAndWork();
        for (String nameNode : List.of("nn1", "nn2")) {
            run(0, one, nameNode, "restore", id, "--execute");
        }
        workAndStop("/second");
        assertThat(run(1, one, "nn1", "restore", id, "--execute")).contains("--again", "Nothing was changed.");
        Restored before = restored(id);
        RestoreWishes wishes = AGAIN;
        int tries = 0;
        while (executeDying(id, wishes, tries)) {
            tries++;
            boolean begun = underWay(id);
            // The first two entries are the mark, which is known when both are written; nothing is changed before. The
            // last two say
            // that all is done.
            assertThat(begun || tries <= 2 || !restored(id).equals(before)).isTrue();
            wishes = begun ? RestoreWishes.NONE : AGAIN;
            if (tries == 5) {
                assertThat(run(1, one, "nn2", "restore", id, "--undo", "--again", "--execute"))
                        .contains("was begun and did not come to its end", "Nothing was changed.");
                refusesToStart("the restore of nameservice one to checkpoint " + id + " was begun");
            }
        }
        // Mark, edits and barrier; what is void already is not discarded once more.
        assertThat(tries).isGreaterThan(6);
        assertThat(run(0, one, "nn2", "restore", id, "--execute")).doesNotContain("the journal of one ends");
        workAndStop("/new");
        assertThat(ExitUtil.terminateCalled()).isFalse();
        assertThat(run(0, one, "nn1", "restore", id, "--undo", "--again"))
                .as("what was written behind the first restore is still there")
                .contains("it can be done now");
    }

    @Test
    void anUndoThatEndedBeforeAnyOfItsEntriesIsGoneOnWith() throws Exception {
        String id = checkpointAndWork();
        for (String nameNode : List.of("nn1", "nn2")) {
            run(0, one, nameNode, "restore", id, "--execute");
        }
        workAndStop("/mistake");
        RestoreWishes wishes = AGAIN;
        int tries = 0;
        while (undoDying(id, wishes, tries)) {
            tries++;
            wishes = underWay(id) ? RestoreWishes.NONE : AGAIN;
            if (tries == 5) {
                assertThat(run(1, one, "nn2", "restore", id, "--again", "--execute"))
                        .contains("--undo --execute", "Nothing was changed.");
                refusesToStart("the undo of the restore of nameservice one to checkpoint " + id + " was begun");
            }
        }
        assertThat(tries).isGreaterThan(10);
        run(0, one, "nn2", "restore", id, "--undo", "--execute");
        for (String nameNode : List.of("nn1", "nn2")) {
            one.restart(nameservices, nameNode);
        }
        one.makeActive("nn2");
        assertThat(one.names("/")).containsExactly("first");
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    private boolean executeDying(String id, RestoreWishes wishes, int entries) throws IOException {
        HostRestore host = dying(after(entries));
        RestorePlan plan = host.plan(checkpoint(id), wishes);
        assertThat(plan.executable()).as("%s", plan).isTrue();
        try {
            host.execute(plan, "try-" + entries + "-" + wishes.again());
            return false;
        } catch (IOException e) {
            return dies(e) || executeDying(id, RestoreWishes.NONE, entries);
        }
    }

    private boolean undoDying(String id, RestoreWishes wishes, int entries) throws IOException {
        HostRestore host = dying(after(entries));
        UndoPlan plan = host.planUndo(checkpoint(id), wishes);
        assertThat(plan.executable()).as("%s", plan).isTrue();
        try {
            host.undo(plan, "try-" + entries + "-" + wishes.again());
            return false;
        } catch (IOException e) {
            return dies(e) || undoDying(id, RestoreWishes.NONE, entries);
        }
    }

    /** Else it saw a mark that nobody knew of before it was the writer, and is planned anew. */
    private static boolean dies(IOException e) {
        assertThat(e.getMessage()).containsAnyOf("killed", "is not as it was when this was planned");
        return e.getMessage().equals("killed");
    }

    private void refusesToStart(String reason) throws IOException {
        one.restart(nameservices, "nn1");
        await().atMost(LIMIT).until(ExitUtil::terminateCalled);
        assertThat(ExitUtil.getFirstExitException()).hasMessageContaining(reason);
        ExitUtil.resetFirstExitException();
        one.stop("nn1");
    }

    private Checkpoint checkpoint(String id) throws IOException {
        return Checkpoint.assemble(new HdfsCheckpoints(one.conf(nameservices, "nn1")).manifests()).stream()
                .filter(any -> any.agreement().id().toString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Restored restored(String id) throws IOException {
        return checkpoint(id).manifests().get("one").restored().orElseThrow();
    }

    private boolean underWay(String id) throws IOException {
        return checkpoint(id).manifests().get("one").underWay().isPresent();
    }

    /** The one that is asked to write it dies before. */
    private interface Killing {
        boolean before(EntryKind kind);
    }

    private static Killing after(int entries) {
        AtomicInteger written = new AtomicInteger();
        return kind -> written.getAndIncrement() == entries;
    }

    private static Killing entry(EntryKind wanted, int count) {
        AtomicInteger written = new AtomicInteger();
        return kind -> kind == wanted && written.incrementAndGet() == count;
    }

    private HostRestore dying(Killing killing) throws IOException {
        await().atMost(LIMIT).until(() -> NameserviceJournal.of(one.conf(nameservices, "nn1"), "one")
                .surveyLease(Duration.ofSeconds(1))
                .free());
        return new HostRestore(
                one.conf(nameservices, "nn1"),
                journal -> proxy(
                        Journal.class,
                        journal,
                        (method, arguments) -> {},
                        opened -> opened instanceof JournalWriter writer
                                ? proxy(
                                        JournalWriter.class,
                                        writer,
                                        (method, arguments) -> {
                                            if (method.startsWith("append")
                                                    && killing.before((EntryKind) arguments[0])) {
                                                throw new IOException("killed");
                                            }
                                        },
                                        any -> any)
                                : opened));
    }

    private interface Before {
        void call(String method, Object[] arguments) throws IOException;
    }

    private static <T> T proxy(Class<T> type, T real, Before before, UnaryOperator<Object> after) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    before.call(method.getName(), arguments);
                    try {
                        return after.apply(method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void aRestoreIsUndone() throws Exception {
        String id = create("c");
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        one.makeDirectory("/wanted");
        run(0, one, "nn1", "create", "--name", "later", "--nameservices", "one");
        one.makeDirectory("/too");
        one.close();
        assertThat(run(1, one, "nn1", "restore", id, "--undo")).contains("was never taken back to this checkpoint");
        for (String nameNode : List.of("nn1", "nn2")) {
            run(0, one, nameNode, "restore", id, "--execute");
        }
        for (String nameNode : List.of("nn1", "nn2")) {
            one.restart(nameservices, nameNode);
        }
        one.makeActive("nn1");
        assertThat(one.names("/")).isEmpty();
        one.makeDirectory("/mistake");
        assertThat(run(1, one, "nn1", "restore", id, "--undo", "--execute"))
                .contains("NameNodes [nn1, nn2] of nameservice one run", "Nothing was changed.");
        one.close();
        assertThat(run(1, one, "nn1", "restore", id, "--undo", "--execute"))
                .contains("were written since it was taken back", "--again", "Nothing was changed.");

        assertThat(run(0, one, "nn1", "restore", id, "--undo", "--again"))
                .contains("gets the transactions again", "it can be done now");
        assertThat(run(0, one, "nn1", "restore", id, "--undo", "--again", "--execute"))
                .contains("the journal of one has the transactions up to", "is " + one.nameDirectory("nn1"));
        assertThat(run(0, one, "nn2", "restore", id, "--undo", "--execute")).doesNotContain("the journal of one");
        for (String nameNode : List.of("nn1", "nn2")) {
            one.restart(nameservices, nameNode);
        }
        one.makeActive("nn2");
        assertThat(one.names("/")).containsExactlyInAnyOrder("wanted", "too");
        assertThat(run(0, one, "nn1", "list")).contains("c.", "later.");
        one.makeDirectory("/after");
        assertThat(ExitUtil.terminateCalled()).isFalse();

        one.close();
        assertThat(run(1, one, "nn1", "restore", id, "--execute")).contains("--again", "Nothing was changed.");
        assertThat(run(0, one, "nn1", "restore", id, "--execute", "--again")).contains("is new");
        assertThat(run(0, one, "nn2", "restore", id, "--execute")).contains("is new");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        assertThat(one.names("/")).isEmpty();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** The original line is beside the current one of the second host, and the undo is of a restore that came after it. */
    @Test
    void anUndoBringsBackNothingThatAnotherRestoreMovedAside() throws Exception {
        String id = checkpointAndWork();
        for (String nameNode : List.of("nn1", "nn2")) {
            run(0, one, nameNode, "restore", id, "--execute");
        }
        workAndStop("/second");
        run(0, one, "nn1", "restore", id, "--execute", "--again");

        run(0, one, "nn1", "restore", id, "--undo", "--execute");
        assertThat(run(1, one, "nn2", "restore", id, "--undo", "--execute"))
                .contains("has nothing from before the restore", "-bootstrapStandby", "Nothing was changed.");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        assertThat(one.names("/")).containsExactly("second");
    }

    /** It still had the original line when the second restore moved it aside. */
    @Test
    void anUndoBringsBackNothingOfAHostThatWasLeftOutBefore() throws Exception {
        String id = checkpointAndWork();
        run(0, one, "nn1", "restore", id, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        one.makeDirectory("/second");
        one.close();
        run(0, one, "nn1", "restore", id, "--execute", "--again");
        run(0, one, "nn2", "restore", id, "--execute");

        run(0, one, "nn1", "restore", id, "--undo", "--execute");
        assertThat(run(1, one, "nn2", "restore", id, "--undo", "--execute"))
                .contains("has nothing from before the restore", "-bootstrapStandby", "Nothing was changed.");
    }

    /** Of nameservice one, when its active can be reached: this JVM has connections to NameNodes that were stopped. */
    private String create(String name) throws IOException {
        try (RemoteParticipants participants =
                new RemoteParticipants(TestNameservice.client(nameservices), Duration.ofSeconds(10))) {
            await().atMost(LIMIT).ignoreExceptions().until(() -> participants
                    .askActive("one", "status", Documents.object())
                    .path("active")
                    .asBoolean());
        }
        return Documents.parse(run(0, one, "nn1", "create", "--name", name, "--nameservices", "one", "--json"))
                .path("id")
                .asText();
    }

    private String checkpointAndWork() throws IOException {
        String id = create("c");
        for (String nameNode : List.of("nn1", "nn2")) {
            Path mark = one.nameDirectory(nameNode).resolve("current/trefoil-lineage");
            await().atMost(LIMIT).until(() -> Files.exists(mark));
        }
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        one.makeDirectory("/first");
        one.close();
        return id;
    }

    private void workAndStop(String path) throws Exception {
        for (String nameNode : List.of("nn1", "nn2")) {
            one.restart(nameservices, nameNode);
        }
        one.makeActive("nn1");
        one.makeDirectory(path);
        one.close();
    }

    /** As {@code -bootstrapStandby} leaves it; only its images tell when that was. */
    @Test
    void aDirectoryWithoutAMarkIsKnownByItsImage() throws Exception {
        String id = create("c");
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        one.makeDirectory("/void");
        one.saveNamespace("nn1");
        one.stop("nn2");
        one.copyNewestImage("nn1", "nn2");
        one.close();
        run(0, one, "nn1", "restore", id, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        one.restart(nameservices, "nn2");
        await().atMost(LIMIT).until(ExitUtil::terminateCalled);
        assertThat(ExitUtil.getFirstExitException())
                .hasMessageContaining("is from before the nameservice was taken back to checkpoint " + id);
        one.stop("nn2");

        ExitUtil.resetFirstExitException();
        one.makeDirectory("/new");
        one.saveNamespace("nn1");
        one.copyNewestImage("nn1", "nn2");
        one.restart(nameservices, "nn2");
        Path mark = one.nameDirectory("nn2").resolve("current/trefoil-lineage");
        await().atMost(LIMIT).until(() -> Files.exists(mark) || ExitUtil.terminateCalled());
        assertThat(mark).exists();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** Behind it the nameservice went back again, to a checkpoint with a higher transaction than the image has. */
    @Test
    void aDirectoryWithoutAMarkIsKnownWhenTheCheckpointIsDeleted() throws Exception {
        String id = create("c");
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        one.makeDirectory("/void");
        one.saveNamespace("nn1");
        one.stop("nn2");
        one.copyNewestImage("nn1", "nn2");
        one.close();
        run(0, one, "nn1", "restore", id, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        for (int i = 0; i < 20; i++) {
            one.makeDirectory("/more" + i);
        }
        String second = create("d");
        one.makeDirectory("/void-too");
        one.close();
        run(0, one, "nn1", "restore", second, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        run(0, one, "nn1", "delete", id);
        one.makeDirectory("/new");

        one.restart(nameservices, "nn2");
        Path mark = one.nameDirectory("nn2").resolve("current/trefoil-lineage");
        await().atMost(LIMIT).until(() -> Files.exists(mark) || ExitUtil.terminateCalled());
        assertThat(mark).doesNotExist();
        assertThat(ExitUtil.getFirstExitException())
                .hasMessageContaining("is from before the nameservice was taken back to checkpoint " + second);
    }

    /** An undo brings them back, and they are nothing without their images. */
    @Test
    void theImagesOfCheckpointsThatARestoreMadeVoidAreKept() throws Exception {
        String id = checkpointAndWork();
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        String later = create("later");
        one.makeDirectory("/later");
        one.close();
        run(0, one, "nn1", "restore", id, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        String deleted = create("deleted");
        Path kept = one.nameDirectory("nn1").resolve("trefoil/checkpoints");
        await().atMost(LIMIT).until(() -> Files.exists(kept.resolve(deleted).resolve("trefoil-lineage")));
        // As on a host of a standby, which is not told.
        Path away = directory.resolve("away");
        Files.move(kept.resolve(deleted), away);
        run(0, one, "nn1", "delete", deleted);
        Files.move(away, kept.resolve(deleted));

        Journal journal = NameserviceJournal.of(one.conf(nameservices, "nn1"), "one");
        try (ImageKeeper keeper = new ImageKeeper(one.nameNode("nn1"), journal, Duration.ZERO)) {
            keeper.start();
            await().atMost(LIMIT).until(() -> !Files.exists(kept.resolve(deleted)));
        }
        assertThat(kept.resolve(later)).isNotEmptyDirectory();
        assertThat(kept.resolve(id)).isNotEmptyDirectory();

        one.close();
        run(0, one, "nn1", "restore", id, "--undo", "--again", "--execute");
        run(0, one, "nn1", "restore", later, "--execute");
    }

    /** A client that lives on still writes to files of the void line under their ids. */
    @Test
    void noFileGetsAnIdThatOneOfTheVoidLineHad() throws Exception {
        String id = checkpointAndWork();
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        long highest = one.inodeId("/first");
        HdfsFileStatus root = one.active().getRpcServer().getFileInfo("/");
        one.close();
        run(0, one, "nn1", "restore", id, "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        assertThat(one.names("/")).isEmpty();
        assertThat(one.active().getRpcServer().getFileInfo("/").getModificationTime())
                .isLessThan(root.getModificationTime());
        one.makeDirectory("/new");
        assertThat(one.inodeId("/new")).isGreaterThan(highest + (1L << 39));
        one.saveNamespace("nn1");
        one.close();
        run(0, one, "nn1", "restore", id, "--undo", "--again", "--execute");
        one.restart(nameservices, "nn1");
        one.makeActive("nn1");
        assertThat(one.names("/")).containsExactly("first");
        assertThat(one.inodeId("/first")).isEqualTo(highest);
        one.makeDirectory("/after");
        assertThat(one.inodeId("/after")).isGreaterThan(highest + (1L << 40));
    }

    @Test
    void verifyNamesWhatARestoreRefuses() throws Exception {
        String id = create("c");
        await().atMost(LIMIT).untilAsserted(() -> run(0, one, "nn1", "verify", "c"));
        Path kept = one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
        Path version = kept.resolve("VERSION");
        String good = Files.readString(version);
        Files.writeString(version, good.replaceAll("cTime=\\d+", "cTime=7"));
        assertThat(run(1, one, "nn1", "verify", "c"))
                .contains("is of another namespace or layout than this NameNode", "cTime=7 ");
        Files.writeString(version, good);
        run(0, one, "nn1", "verify", "c");

        Path image = new KeptImages(one.nameDirectory("nn1").resolve("current"))
                .find(CheckpointId.parse(id))
                .orElseThrow();
        Path later = kept.resolve("fsimage_0000000000000012345");
        Files.move(image, later);
        Files.writeString(
                NameDirectoryFiles.checksum(later),
                Files.readString(NameDirectoryFiles.checksum(image))
                        .replace(
                                image.getFileName().toString(),
                                later.getFileName().toString()));
        assertThat(run(1, one, "nn1", "verify", "c")).contains("is of transaction 12345, wanted one of ");
    }

    private void makeDirectories(String path) throws IOException {
        for (TestNameservice nameservice : nameservices) {
            nameservice.makeDirectory(path);
        }
    }

    private void refusedWhileNameNodesRun(String id) throws IOException {
        assertThat(run(0, one, "nn1", "restore", id))
                .contains(
                        "a dry run, nothing is changed",
                        "files that will miss blocks: 0",
                        "NameNodes [nn1, nn2] of nameservice one run",
                        "NameNodes of other nameservices of the checkpoint run: {other=[nn1, nn2]}",
                        "is in use");
        assertThat(run(1, one, "nn1", "restore", id, "--execute")).contains("Nothing was changed.");
        assertThat(run(1, one, "nn1", "restore", "never")).contains("Wanted one checkpoint 'never', found 0");
    }

    private void refusedWithADamagedImage(String id) throws IOException {
        Path kept = one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
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
        Map<Path, Integer> before = contents();
        assertThat(run(1, one, "nn1", "restore", id)).contains("it cannot be done", "is damaged", "-bootstrapStandby");
        assertThat(run(1, one, "nn1", "restore", id, "--execute")).contains("is damaged", "Nothing was changed.");
        assertThat(contents()).isEqualTo(before);
        Files.write(checksum, good);
    }

    /** A barrier in nameservice one alone, as a coordinator leaves it that dies in the middle. */
    private CheckpointId halfACheckpoint() throws IOException {
        CheckpointId half = CheckpointId.of("half", "00000001");
        try (RemoteParticipants participants =
                new RemoteParticipants(TestNameservice.client(nameservices), Duration.ofSeconds(10))) {
            Grant grant = participants.freeze("one", FreezeOrder.of(half, 2_000, false));
            participants.cut("one", grant, Agreement.of(half, 1, 0, "one", List.of("one", "other")));
        }
        return half;
    }

    private void refusedIfIncomplete(CheckpointId half) throws IOException {
        Map<Path, Integer> before = contents();
        assertThat(run(1, one, "nn1", "restore", half.toString()))
                .contains("it cannot be done", "incomplete", "no barrier in other");
        assertThat(run(1, one, "nn1", "restore", half.toString(), "--execute"))
                .contains("incomplete", "Nothing was changed.");
        assertThat(run(1, other, "nn1", "restore", half.toString(), "--execute", "--alone"))
                .contains("Nothing was changed.");
        assertThat(contents()).isEqualTo(before);
    }

    private void refusedWithoutAnImage(String id) throws IOException {
        Path kept = one.nameDirectory("nn1").resolve("trefoil/checkpoints").resolve(id);
        Path away = directory.resolve("away");
        Files.move(kept, away);
        Map<Path, Integer> before = contents();
        assertThat(run(1, one, "nn1", "restore", id, "--execute"))
                .contains("keeps no image for the checkpoint", "there is none", "Nothing was changed.");
        assertThat(contents()).isEqualTo(before);
        Files.move(away, kept);
    }

    private void refusedIfTheOtherRuns() throws IOException {
        other.restart(nameservices, "nn2");
        Map<Path, Integer> before = contents();
        assertThat(run(1, one, "nn1", "restore", "c", "--execute")).contains("{other=[nn2]}", "--alone");
        assertThat(contents()).isEqualTo(before);
        assertThat(run(0, one, "nn1", "restore", "c", "--alone")).contains("it can be done now");
        other.stop("nn2");
    }

    /** Of all files of nameservice one, the journal among them. */
    private Map<Path, Integer> contents() throws IOException {
        Map<Path, Integer> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (directory.relativize(file).toString().startsWith("one")) {
                    contents.put(file, Arrays.hashCode(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }

    private String run(int exitCode, TestNameservice nameservice, String nameNode, String... arguments) {
        Configuration conf = nameservice.conf(nameservices, nameNode);
        StringWriter out = new StringWriter();
        int code = TrefoilCommand.execute(
                CheckpointCommand.line(() -> new HdfsCheckpoints(conf)),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments);
        assertThat(code).as(List.of(arguments) + ": " + out).isEqualTo(exitCode);
        return out.toString();
    }
}
