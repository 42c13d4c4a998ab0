/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.CommittedLog;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageHolders;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads that archive, with a store, a journal and a group in memory. */
class ArchiveServiceTest {

    private static final int LIMIT_SECONDS = 60;

    private final Journal journal = new Journal();
    private final Store store = new Store();
    private final FakeGroup others = new FakeGroup();
    private final RecordingObserver observed = new RecordingObserver();
    private final ArchiveService service = new ArchiveService("nn2", others, this::begin, observed);

    private ArchiveRun begin() {
        ArchiveWriter writer =
                new ArchiveWriter(store, journal, () -> {}, "00000000000000aa", System::currentTimeMillis);
        return new ArchiveRun(
                writer,
                new ImageCopier(new NoImages(), store, writer, ImageRecords.Pace.FREE, System::currentTimeMillis),
                () -> 3);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void archivesAgainWhenStoreTimedOut() throws Exception {
        journal.add();
        // A subclass of the exception of interrupted threads: it says nothing about ours.
        store.failure = new SocketTimeoutException("Read timed out");
        service.start();

        observed.await("failing edits: Read timed out");
        store.failure = null;
        observed.await("over edits");
        journal.add();
        observed.await("wrote 1");

        assertThat(new ArchiveReader(store).contents().sequencesByIncarnation().get(journal.incarnation()))
                .singleElement()
                .satisfies(line -> assertThat(line.after().sn()).isEqualTo(2));
        assertThat(service.ownStatus().archiving()).isTrue();
        assertThat(service.ownStatus().failing()).isFalse();
    }

    @Test
    void prunesWhileArchiving() throws Exception {
        journal.add();
        service.start();

        observed.await("pruned 3");
    }

    @Test
    void standsByWhileOtherArchives() throws Exception {
        journal.add();
        service.start();
        observed.await("wrote 1");
        others.answers = List.of(ArchivingMember.builder("nn1").archiving(true).build());
        observed.await("archives no more");
        assertThat(service.ownStatus().archiving()).isFalse();
        journal.add();
        others.answers = List.of();
        observed.await("archives");
        observed.await("wrote 1");
    }

    @Test
    void lagGrowsUntilMemberArchives() throws Exception {
        others.answers = List.of(ArchivingMember.builder("nn1")
                .archiving(true)
                .lagMillis(Long.MAX_VALUE / 2)
                .build());
        service.start();
        others.awaitQuery();
        others.awaitQuery();
        long without = service.ownStatus().lagMillis();
        assertThat(without).as("since it began, as nothing is known of before").isPositive();

        others.answers = List.of(ArchivingMember.builder("nn1").archiving(true).build());
        others.awaitQuery(others.answers);
        others.awaitQuery();

        assertThat(service.ownStatus().lagMillis())
                .as("since nn1 said that it has all")
                .isLessThan(2 * without + LIMIT_SECONDS * 1_000);
    }

    @Test
    void bugStopsOnlyArchiver() throws Exception {
        journal.bug = new IllegalStateException("bug");
        service.start();

        observed.await("died bug");

        assertThat(service.ownStatus().failing()).isTrue();
        assertThat(service.ownStatus().archiving()).isFalse();
    }

    /** What the observer was told, in its order. */
    private static final class RecordingObserver implements ArchiveObserver {
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

        void await(String wanted) throws InterruptedException {
            while (true) {
                String next = told.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(next).as("wanted " + wanted).isNotNull();
                if (next.equals(wanted)) {
                    return;
                }
            }
        }

        @Override
        public void archivingChanged(boolean begins) {
            told.add(begins ? "archives" : "archives no more");
        }

        @Override
        public void wrote(long entries) {
            told.add("wrote " + entries);
        }

        @Override
        public void copiedImage() {
            told.add("copied image");
        }

        @Override
        public void pruned(int objects) {
            told.add("pruned " + objects);
        }

        @Override
        public void skipped(long entries) {
            told.add("skipped " + entries);
        }

        @Override
        public void failing(String what, IOException failure) {
            told.add("failing " + what + ": " + failure.getMessage());
        }

        @Override
        public void recovered(String what) {
            told.add("over " + what);
        }

        @Override
        public void died(Throwable cause) {
            told.add("died " + cause.getMessage());
        }
    }

    private static final class FakeGroup implements ArchivingGroup {
        volatile List<ArchivingMember> answers = List.of();
        private final BlockingQueue<List<ArchivingMember>> asked = new LinkedBlockingQueue<>();

        void awaitQuery(List<ArchivingMember> answered) throws InterruptedException {
            List<ArchivingMember> next;
            do {
                next = asked.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(next).isNotNull();
            } while (next != answered);
        }

        void awaitQuery() throws InterruptedException {
            assertThat(asked.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
        }

        @Override
        public List<ArchivingMember> queryOthers() {
            asked.add(answers);
            return answers;
        }

        @Override
        public boolean isActive() {
            return false;
        }
    }

    private static final class NoImages implements ImageHolders {
        @Override
        public Map<NodeAddress, LogSummary> committedByNode() {
            return Map.of();
        }

        @Override
        public List<ImageReplica> availableImages() {
            return List.of();
        }

        @Override
        public boolean useFile(HeldImage image, FileUse use) {
            throw new AssertionError("There is none");
        }
    }

    private static final class Journal implements CommittedLog {
        private final List<Entry> entries = new CopyOnWriteArrayList<>();
        volatile RuntimeException bug;

        void add() {
            long sn = entries.size() + 1L;
            entries.add(Entry.of(
                    LogPosition.of(Epoch.of(1), sn), EntryKind.EDITS, TxRange.of(sn, sn), Bytes.ofUtf8("edits")));
        }

        @Override
        public Incarnation incarnation() {
            if (bug != null) {
                throw bug;
            }
            return Incarnation.of(1, 0xabc);
        }

        @Override
        public List<Entry> read(long firstSn, int maxBytes) {
            return List.copyOf(entries.subList((int) Math.min(firstSn - 1, entries.size()), entries.size()));
        }
    }

    private static final class Store implements ArchiveStore {
        private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
        volatile IOException failure;

        private void fail() throws IOException {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void put(String name, Content content) throws IOException {
            fail();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            content.writeTo(bytes);
            objects.put(name, bytes.toByteArray());
        }

        @Override
        public InputStream open(String name) throws IOException {
            fail();
            byte[] object = objects.get(name);
            if (object == null) {
                throw new FileNotFoundException(name);
            }
            return new ByteArrayInputStream(object);
        }

        @Override
        public List<String> list(String directory) throws IOException {
            fail();
            return objects.keySet().stream()
                    .filter(name -> name.startsWith(directory + "/"))
                    .toList();
        }

        @Override
        public void delete(String name) {
            objects.remove(name);
        }
    }
}
