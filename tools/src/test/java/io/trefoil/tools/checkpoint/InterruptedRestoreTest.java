/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.hdfs.CheckpointHost.TestRestore;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A restore, or an undo, that dies before any of its entries is written, and is gone on with. */
class InterruptedRestoreTest {
    private static final RestoreOptions AGAIN =
            RestoreOptions.builder().repeatRestore(true).build();

    @RegisterExtension
    private final RestoreHosts hosts = new RestoreHosts("one");

    /** The second restore of the same checkpoint ends before the barrier says that it is done, and is gone again. */
    @Test
    void detectsHostOmittedFromSecondRestoreAttempt() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.restoreBoth(id);
        hosts.writeAndStop("/void-too");
        TestRestore dying = interruptedRestore(beforeEntry(EntryKind.SEGMENT_END, 1));
        assertThatThrownBy(() -> dying.execute(dying.plan(hosts.checkpoint(id), AGAIN), "first"))
                .hasMessage("killed");
        assertThat(hosts.run(0, "nn1", "restore", id, "--execute")).contains("the journal of one ends at transaction");
        hosts.startActive("nn1");
        assertThat(hosts.one.listNames("/")).isEmpty();
        assertThat(ExitUtil.terminateCalled()).isFalse();
        hosts.start("nn2");
        hosts.awaitEnd("is from before the nameservice was restored");
    }

    /** Each try ends one entry later than the one before; the first says --again, and the others need not. */
    @Test
    void resumesRestoreInterruptedBeforeAnyEntry() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.restoreBoth(id);
        hosts.writeAndStop("/second");
        assertThat(hosts.run(1, "nn1", "restore", id, "--execute")).contains("--again", "Nothing was changed.");
        RestoreRecord before = hosts.manifest(id).restoreRecord().orElseThrow();
        RestoreOptions options = AGAIN;
        int tries = 0;
        while (executeInterrupted(id, options, tries)) {
            tries++;
            // The first two entries are the mark, known when both are written: nothing is changed before. The last two
            // say that all is done. Pool nodes hear of an entry's commit a moment after the writer.
            if (tries > 2) {
                await().atMost(RestoreHosts.LIMIT).until(() -> {
                    Manifest seen = hosts.manifest(id);
                    return seen.restoreInProgress().isPresent()
                            || !seen.restoreRecord().orElseThrow().equals(before);
                });
            }
            boolean begun = hosts.manifest(id).restoreInProgress().isPresent();
            options = begun ? RestoreOptions.NONE : AGAIN;
            if (tries == 5) {
                assertThat(hosts.run(1, "nn2", "restore", id, "--undo", "--again", "--execute"))
                        .contains("was begun and not finished", "Nothing was changed.");
                assertRefusesToStart("the restore of nameservice one to checkpoint " + id + " was begun");
            }
        }
        // Mark, edits and barrier; what is void already is not discarded once more.
        assertThat(tries).isGreaterThan(6);
        assertThat(hosts.run(0, "nn2", "restore", id, "--execute")).doesNotContain("the journal of one ends");
        hosts.writeAndStop("/new");
        assertThat(ExitUtil.terminateCalled()).isFalse();
        assertThat(hosts.run(0, "nn1", "restore", id, "--undo", "--again"))
                .as("what was written behind the first restore is still there")
                .contains("it can be done now");
    }

    @Test
    void resumesUndoInterruptedBeforeAnyEntry() throws Exception {
        String id = hosts.checkpointAndWrite();
        hosts.restoreBoth(id);
        hosts.writeAndStop("/mistake");
        RestoreOptions options = AGAIN;
        int tries = 0;
        while (undoInterrupted(id, options, tries)) {
            tries++;
            options = hosts.manifest(id).restoreInProgress().isPresent() ? RestoreOptions.NONE : AGAIN;
            if (tries == 5) {
                assertThat(hosts.run(1, "nn2", "restore", id, "--again", "--execute"))
                        .contains("--undo --execute", "Nothing was changed.");
                assertRefusesToStart("the undo of the restore of nameservice one to checkpoint " + id + " was begun");
            }
        }
        assertThat(tries).isGreaterThan(10);
        hosts.run(0, "nn2", "restore", id, "--undo", "--execute");
        hosts.startBoth("nn2");
        assertThat(hosts.one.listNames("/")).containsExactly("first");
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    private boolean executeInterrupted(String id, RestoreOptions options, int entries) throws IOException {
        TestRestore host = interruptedRestore(afterEntries(entries));
        RestorePlan plan = host.plan(hosts.checkpoint(id), options);
        assertThat(plan.executable()).as("%s", plan).isTrue();
        try {
            host.execute(plan, "try-" + entries + "-" + options.repeatRestore());
            return false;
        } catch (IOException e) {
            return isInterruption(e) || executeInterrupted(id, RestoreOptions.NONE, entries);
        }
    }

    private boolean undoInterrupted(String id, RestoreOptions options, int entries) throws IOException {
        TestRestore host = interruptedRestore(afterEntries(entries));
        UndoPlan plan = host.planUndo(hosts.checkpoint(id), options);
        assertThat(plan.executable()).as("%s", plan).isTrue();
        try {
            host.undo(plan, "try-" + entries + "-" + options.repeatRestore());
            return false;
        } catch (IOException e) {
            return isInterruption(e) || undoInterrupted(id, RestoreOptions.NONE, entries);
        }
    }

    /** Else it saw a mark that no process knew of before it was the writer, and is planned anew. */
    private static boolean isInterruption(IOException e) {
        assertThat(e.getMessage()).containsAnyOf("killed", "has changed since this was planned");
        return e.getMessage().equals("killed");
    }

    private void assertRefusesToStart(String reason) throws IOException {
        hosts.start("nn1");
        hosts.awaitEnd(reason);
        // It did not end, as this is a test; one that becomes active before it sees why it has to end is as far.
        assertThatThrownBy(() -> hosts.one.makeActive("nn1")).hasStackTraceContaining("failed for required journal");
        ExitUtil.resetFirstExitException();
        hosts.one.stop("nn1");
    }

    /** The one that is asked to write it dies before. */
    private interface InterruptionPoint {
        boolean isInterruptedBefore(EntryKind kind);
    }

    private static InterruptionPoint afterEntries(int entries) {
        AtomicInteger written = new AtomicInteger();
        return kind -> written.getAndIncrement() == entries;
    }

    private static InterruptionPoint beforeEntry(EntryKind entryKind, int count) {
        AtomicInteger written = new AtomicInteger();
        return kind -> kind == entryKind && written.incrementAndGet() == count;
    }

    private TestRestore interruptedRestore(InterruptionPoint interruption) throws IOException {
        await().atMost(RestoreHosts.LIMIT).until(() -> NameserviceJournal.of(hosts.conf("nn1"), "one")
                .queryLease(Duration.ofSeconds(1))
                .leaseFree());
        return new TestRestore(
                hosts.conf("nn1"),
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
                                                    && interruption.isInterruptedBefore((EntryKind) arguments[0])) {
                                                throw new IOException("killed");
                                            }
                                        },
                                        any -> any)
                                : opened));
    }

    private interface CallHook {
        void call(String method, Object[] arguments) throws IOException;
    }

    private static <T> T proxy(Class<T> type, T delegate, CallHook before, UnaryOperator<Object> after) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    before.call(method.getName(), arguments);
                    try {
                        return after.apply(method.invoke(delegate, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
