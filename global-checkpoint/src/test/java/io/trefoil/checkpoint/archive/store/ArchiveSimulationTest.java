/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ArchiverState;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.ChunkSequence;
import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.NoSuchInstantException;
import io.trefoil.checkpoint.archive.VoidPoint;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Writers that crash, freeze and thaw, a store that loses and delays, restores in between: the archive never has anything but what was
 * committed, and has all of it once a writer has come to the end. Not run with threads: what may happen at once is drawn.
 */
class ArchiveSimulationTest {

    private static final int HISTORIES = 200;
    private static final int PRUNED = 30;

    @Test
    void archiveHasEverythingCommittedWhenRequestsFail() throws Exception {
        int complete = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            History history = new History(seed);
            history.run();
            complete += history.completeInstants;
        }
        assertThat(complete)
                .as("instants of which is known up to when they are complete")
                .isGreaterThan(HISTORIES);
    }

    @Test
    void namespacesFollowTheirTimelineWhenJournalWasPurged() throws Exception {
        int found = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            History history = new History(seed);
            history.purges = true;
            history.run();
            found += history.instants;
        }
        assertThat(found).as("instants that the archives have").isGreaterThan(HISTORIES);
    }

    @Test
    void findsImageConfirmedBeforeItsRestore() {
        // A planted bug: what was in force at the end of the archive is taken for what was in force in the pool.
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < HISTORIES; seed++) {
                        History history = new History(seed);
                        history.confirmsAtEndOfArchive = true;
                        history.run();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the namespace");
    }

    /** One history; it may be told to go wrong. */
    private static class History {
        final Random random;
        final FaultyStore store;
        final GrowingLog log = new GrowingLog();
        final List<ArchiveWriter> writers = new ArrayList<>();
        final String seed;
        /** What was in force when the log had so many entries: the transactions, and the entry of each. */
        final Map<Long, SortedMap<Long, Long>> live = new HashMap<>();

        /** The images, and what is in each. */
        final Map<ArchivedImage, SortedMap<Long, Long>> images = new LinkedHashMap<>();

        /** How many entries were committed from a time on. */
        final TreeMap<Long, Long> committed = new TreeMap<>(Map.of(0L, 0L));

        long millis = 1_000;
        boolean purges;
        boolean confirmsAtEndOfArchive;
        int instants;
        int completeInstants;

        History(int seed) {
            this.seed = "seed " + seed;
            random = new Random(seed);
            store = new FaultyStore(random);
        }

        ArchiveWriter begin() {
            return new ArchiveWriter(store, log, () -> {}, String.format("%016x", random.nextLong()), () -> millis);
        }

        void run() throws Exception {
            addImage(0);
            store.faults = random.nextInt(3) * 0.15;
            for (int i = 0; i < 300; i++) {
                step();
            }
            store.faults = 0;
            store.late.forEach(Runnable::run);
            // Another writer goes on, one that was frozen long ago thaws, in whatever order.
            ArchiveWriter last = begin();
            while (last.writeChunk()) {
                expectOnlyCommitted();
            }
            for (ArchiveWriter writer : writers) {
                writer.writeChunk();
            }
            expectOnlyCommitted();
            if (!purges) {
                expectEverything();
            }
            for (int i = 0; i < 5; i++) {
                expectInstant();
            }
        }

        private void step() throws IOException {
            millis += random.nextInt(20);
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> log.grow(random);
                case 4 -> {
                    if (random.nextInt(10) == 0) {
                        log.restore(random);
                    }
                    if (purges && random.nextInt(10) == 0) {
                        log.purge(random.nextInt(log.entries.size() + 1));
                    }
                }
                case 5 -> {
                    if (writers.isEmpty() || random.nextInt(5) == 0) {
                        writers.add(begin());
                    }
                }
                case 6 -> {
                    if (!store.late.isEmpty()) {
                        store.late.remove(random.nextInt(store.late.size())).run();
                    }
                }
                default -> {
                    if (!writers.isEmpty()) {
                        // Those that are not asked are frozen, or have crashed.
                        round(writers.get(Math.max(0, writers.size() - 1 - random.nextInt(2))));
                    }
                }
            }
            live.put((long) log.entries.size(), new TreeMap<>(log.live));
            committed.put(millis, (long) log.entries.size());
            if (random.nextInt(30) == 0 && !log.live.isEmpty()) {
                addImage(List.copyOf(log.live.keySet()).get(random.nextInt(log.live.size())));
            }
        }

        private void round(ArchiveWriter writer) {
            try {
                writer.writeChunk();
            } catch (IOException e) {
                assertThat(e).as(seed).hasMessageMatching("503 Slow Down|connection reset|log/.*");
            }
        }

        /** Adds an image of what is in force, up to a transaction. */
        void addImage(long txId) {
            long confirmedSn = confirmsAtEndOfArchive ? archivedSn() : log.entries.size();
            String md5 = String.format("%032x", images.size());
            images.put(
                    ArchivedImage.of(log.incarnation, ImageId.of(txId, 1, md5), confirmedSn, millis, "VERSION"),
                    new TreeMap<>(log.live.headMap(txId + 1)));
        }

        private long archivedSn() {
            return store.objects.keySet().stream()
                    .mapToLong(name -> ChunkName.parse(name).orElseThrow().lastSn())
                    .max()
                    .orElse(0);
        }

        /** Everything that a reader gets is an entry that was committed. */
        void expectOnlyCommitted() throws IOException {
            for (String name : store.objects.keySet()) {
                ChunkName chunk = ChunkName.parse(name).orElseThrow();
                for (Entry entry : new ArchiveReader(store).readChunk(chunk).entries()) {
                    assertThat(entry).as(seed + " " + name).isEqualTo(log.entries.get((int) entry.sn() - 1));
                }
            }
        }

        void expectEverything() throws IOException {
            List<ChunkSequence> line =
                    new ArchiveReader(store).contents().sequencesByIncarnation().get(log.incarnation);
            assertThat(line).as(seed).hasSize(1);
            assertThat(line.get(0).before()).as(seed).isEqualTo(LogBoundary.ORIGIN);
            assertThat(line.get(0).after().sn()).as(seed).isEqualTo(log.entries.size());
        }

        /** A namespace of the past has the transactions that were in force then, each of them once and in order. */
        void expectInstant() throws IOException {
            ArchiveReader reader = new ArchiveReader(store);
            ArchiveContents contents = new ArchiveContents(reader.contents().sequencesByIncarnation(), images.keySet());
            long at = 1_000 + (long) random.nextInt((int) (millis - 1_000));
            NamespaceRecipe recipe;
            try {
                recipe = contents.recipeAt(at);
            } catch (NoSuchInstantException e) {
                assertThat(e)
                        .as(seed)
                        .hasMessageMatching(
                                purges
                                        ? "(?s)(Wanted an image at|.*the archive (begins|ends|has a gap)).*"
                                        : "(?s).*the archive (begins|ends) at.*");
                return;
            }
            instants++;
            recipe.completeMillis().ifPresent(complete -> assertThat(
                            recipe.target().sn())
                    .as("%s at %s: the last entry, with all committed by %s", seed, at, complete)
                    .isGreaterThanOrEqualTo(committed.lowerEntry(complete).getValue()));
            completeInstants += recipe.completeMillis().isPresent() ? 1 : 0;
            assertThat(namespace(reader, recipe))
                    .as("%s at %s: the entries of the namespace", seed, at)
                    .isEqualTo(live.get(recipe.target().sn()));
        }

        /** The transactions of a namespace, and the entry of each. */
        SortedMap<Long, Long> namespace(ArchiveReader reader, NamespaceRecipe recipe) throws IOException {
            SortedMap<Long, Long> namespace = new TreeMap<>(images.get(recipe.image()));
            long sn = 0;
            for (ChunkSequence.Part part : recipe.parts()) {
                for (Entry entry : reader.readChunk(part.name()).entries()) {
                    if (entry.sn() > sn) {
                        sn = entry.sn();
                        TxRange wanted = recipe.transactionsOf(entry);
                        for (long txId = wanted.first(); !wanted.isEmpty() && txId <= wanted.last(); txId++) {
                            assertThat(namespace.put(txId, sn))
                                    .as("%s at %s: the namespace has transaction %s twice", seed, recipe.target(), txId)
                                    .isNull();
                        }
                    }
                }
            }
            return namespace;
        }

        ArchiveContents contents() throws IOException {
            return new ArchiveContents(new ArchiveReader(store).contents().sequencesByIncarnation(), images.keySet());
        }

        /** Puts the images where a reader finds them. */
        void putImages() {
            for (ArchivedImage image : images.keySet()) {
                store.objects.put(image.path(), new byte[1]);
                store.objects.put(image.recordPath(), ImageRecords.record(image));
            }
        }
    }

    @Test
    void prunedArchiveKeepsEverythingWithinRetention() throws Exception {
        int deleted = 0;
        for (int seed = 0; seed < PRUNED; seed++) {
            deleted += new Pruning(seed).run((archive, plan) -> plan);
        }
        assertThat(deleted).as("objects that were deleted").isGreaterThan(10 * PRUNED);
    }

    @Test
    void findsExcessivePruning() {
        // A planted bug: the chunk that the oldest instant begins in goes as well.
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < PRUNED; seed++) {
                        new Pruning(seed).run((archive, plan) -> {
                            List<String> needless = new ArrayList<>(plan.objectsToDelete());
                            archive.stream()
                                    .filter(name -> ChunkName.parse(name).isPresent() && !needless.contains(name))
                                    .min(Comparator.comparingLong(name ->
                                            ChunkName.parse(name).orElseThrow().firstSn()))
                                    .ifPresent(needless::add);
                            return new ArchivePruner.Plan(plan.cutMillis(), needless);
                        });
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after pruning");
    }

    /** A history of an archive, pruned at its end to some time. */
    private static final class Pruning {
        private final History history;

        Pruning(int seed) {
            history = new History(seed);
            history.purges = seed % 2 == 0;
        }

        interface Change {
            ArchivePruner.Plan change(Collection<String> archive, ArchivePruner.Plan plan);
        }

        /** Returns how many objects were deleted. */
        int run(Change change) throws Exception {
            history.run();
            history.putImages();
            ArchivePruner pruner = new ArchivePruner(history.store);
            long target = 1_000L + history.random.nextInt((int) (history.millis - 1_000));
            ArchivePruner.Plan plan =
                    change.change(List.copyOf(history.store.objects.keySet()), pruner.plan(Duration.ZERO, target));
            assertThat(plan.cutMillis())
                    .hasValueSatisfying(cut -> assertThat(cut).isLessThanOrEqualTo(target));
            List<Object> before = readableNamespaces(plan.cutMillis().get());

            pruner.carryOut(plan);

            assertThat(readableNamespaces(plan.cutMillis().get()))
                    .as(history.seed + ", after pruning")
                    .isEqualTo(before);
            assertThat(pruner.plan(Duration.ZERO, target).objectsToDelete())
                    .as(history.seed + ", what is left to be pruned, after pruning")
                    .isEmpty();
            return plan.objectsToDelete().size();
        }

        /** The namespaces at many instants from one on, and after the transactions since; empty where there is none. */
        private List<Object> readableNamespaces(long cut) throws IOException {
            ArchiveReader reader = new ArchiveReader(history.store);
            ArchiveContents contents = reader.contents();
            List<Object> found = new ArrayList<>();
            for (long millis = cut; millis <= history.millis; millis += 1 + (history.millis - cut) / 40) {
                long at = millis;
                found.add(namespace(reader, () -> contents.recipeAt(at)));
            }
            long committedSn = contents.sequencesByIncarnation().lastEntry().getValue().stream()
                    .flatMap(stretch -> stretch.markAt(cut).stream())
                    .mapToLong(CommitMark::sn)
                    .max()
                    .orElse(0);
            for (Map.Entry<Long, Long> committed : history.log.live.entrySet()) {
                if (committed.getValue() > committedSn && committed.getKey() % 5 == 0) {
                    found.add(namespace(reader, () -> contents.recipeAfter(committed.getKey())));
                }
            }
            return found;
        }

        interface Choice {
            NamespaceRecipe choose() throws NoSuchInstantException;
        }

        private Optional<SortedMap<Long, Long>> namespace(ArchiveReader reader, Choice choice) throws IOException {
            try {
                return Optional.of(history.namespace(reader, choice.choose()));
            } catch (NoSuchInstantException e) {
                return Optional.empty();
            }
        }
    }

    @Test
    void prunedArchiveLosesEarlierIncarnations() throws Exception {
        History history = new History(11);
        history.log.grow(history.random);
        history.addImage(0);
        history.begin().writeChunk();
        history.log.incarnation = Incarnation.of(2, 0xdef);
        history.millis = 2_000;
        history.addImage(0);
        history.begin().writeChunk();
        history.putImages();
        ArchivePruner pruner = new ArchivePruner(history.store);
        assertThat(pruner.plan(Duration.ZERO, 5_000).cutMillis())
                .as("one image is too few")
                .isEmpty();
        history.millis = 3_000;
        history.addImage(0);
        history.putImages();

        assertThat(pruner.plan(Duration.ZERO, 1_999).objectsToDelete())
                .as("the incarnation had not begun")
                .isEmpty();
        ArchivePruner.Plan plan = pruner.plan(Duration.ZERO, 9_000);
        assertThat(plan.cutMillis())
                .as("when the second newest image was written")
                .contains(2_000L);
        pruner.carryOut(plan);

        assertThat(new ArchiveReader(history.store).contents().sequencesByIncarnation())
                .containsOnlyKeys(history.log.incarnation);
        assertThat(history.store.list("images")).hasSize(4).noneMatch(name -> name.contains("1-0000000000000abc"));
    }

    @Test
    void keepsRetentionWhenClockIsAhead() throws Exception {
        History history = new History(13);
        for (int i = 0; i < 4; i++) {
            history.millis = 1_000L * (i + 1);
            history.log.grow(history.random);
            history.addImage(0);
            history.begin().writeChunk();
            history.putImages();
        }
        long newest = new ArchiveReader(history.store)
                .contents()
                .newestMark()
                .orElseThrow()
                .millis();

        ArchivePruner.Plan plan = new ArchivePruner(history.store)
                .plan(Duration.ofMillis(2_500), Duration.ofDays(365).toMillis());

        assertThat(plan.cutMillis())
                .as("2.5 s before the newest edits, wherever the clock is")
                .contains(newest - 2_500);
    }

    @Test
    void prunesNothingWhenArchiveIsDamaged() throws Exception {
        History history = new History(12);
        history.log.grow(history.random);
        history.addImage(0);
        history.begin().writeChunk();
        history.putImages();
        String name =
                new ArchiveReader(history.store).contents().images().get(0).recordPath();
        history.store.objects.put(name, "damaged".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> new ArchivePruner(history.store).plan(Duration.ZERO, 9_000))
                .hasMessageContaining("Nothing is deleted while something is damaged")
                .hasMessageContaining(name);
    }

    @Test
    void findsWriterIgnoringFailedPuts() {
        // A planted bug: the store says that everything was written.
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < HISTORIES; seed++) {
                        History history = new History(seed);
                        ArchiveStore believing = new FailureHidingStore(history.store);
                        ArchiveWriter writer = new ArchiveWriter(
                                believing, history.log, () -> {}, "00000000000000ff", () -> history.millis);
                        history.store.faults = 0.3;
                        for (int i = 0; i < 50; i++) {
                            history.log.grow(history.random);
                            history.round(writer);
                        }
                        history.store.faults = 0;
                        writer.writeChunk();
                        history.expectEverything();
                    }
                })
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findsLogWithUncommittedEntries() throws Exception {
        // A planted bug: a node gives an entry that another writer replaces.
        History history = new History(4);
        history.log.grow(history.random);
        history.begin().writeChunk();
        history.log.entries.clear();
        history.log.grow(new Random(5));

        assertThatThrownBy(history::expectOnlyCommitted).isInstanceOf(AssertionError.class);
    }

    /** Hides failures. */
    private record FailureHidingStore(ArchiveStore store) implements ArchiveStore {
        @Override
        public void put(String name, Content content) {
            try {
                store.put(name, content);
            } catch (IOException e) {
                // That is the bug.
            }
        }

        @Override
        public InputStream open(String name) throws IOException {
            return store.open(name);
        }

        @Override
        public List<String> list(String directory) throws IOException {
            return store.list(directory);
        }

        @Override
        public void delete(String name) throws IOException {
            store.delete(name);
        }
    }

    @Test
    void purgedEntriesFormGapBetweenInstants() throws Exception {
        History history = new History(1);
        ArchiveWriter writer = history.begin();
        history.log.grow(history.random);
        writer.writeChunk();
        history.addImage(0);
        history.millis = 2_000;
        history.log.grow(history.random);
        history.log.grow(history.random);
        history.log.purgeAll();
        history.millis = 3_000;
        history.log.grow(history.random);
        writer.writeChunk();

        ArchiveContents found = new ArchiveReader(history.store).contents();
        ArchiveContents contents = new ArchiveContents(found.sequencesByIncarnation(), history.images.keySet());

        assertThat(writer.skippedCount()).isPositive();
        assertThat(contents.sequencesByIncarnation().get(history.log.incarnation))
                .hasSize(2);
        assertThat(contents.recipeAt(1_000).target().txId()).isPositive();
        assertThatThrownBy(() -> contents.recipeAt(2_000)).hasMessageContaining("has a gap from 1970-01-01T00:00:01Z");
        assertThatThrownBy(() -> contents.recipeAt(3_000))
                .hasMessageContaining("Wanted an image at or below transaction");
        assertThatThrownBy(() -> contents.recipeAt(999)).hasMessageContaining("begins at 1970-01-01T00:00:01Z");
        assertThatThrownBy(() -> contents.recipeAt(4_000)).hasMessageContaining("ends at 1970-01-01T00:00:03Z");
    }

    @Test
    void imageOfDiscardedTimelineDoesNotBridgeGap() throws Exception {
        History history = new History(1);
        ArchiveWriter writer = history.begin();
        while (history.log.live.size() < 20) {
            history.log.grow(history.random);
        }
        history.addImage(18);
        while (writer.writeChunk()) {
            // There may be more.
        }
        history.log.restoreTo(1);
        while (history.log.live.size() < 15) {
            history.log.grow(history.random);
        }
        history.log.purgeAll();
        while (history.log.live.size() < 25) {
            history.log.grow(history.random);
        }
        while (writer.writeChunk()) {
            // There may be more.
        }

        ArchiveContents found = new ArchiveReader(history.store).contents();
        ArchiveContents contents = new ArchiveContents(found.sequencesByIncarnation(), history.images.keySet());

        assertThat(contents.sequencesByIncarnation().get(history.log.incarnation))
                .hasSize(2);
        assertThatThrownBy(() -> contents.recipeAt(1_000))
                .hasMessageContaining("Wanted an image at or below transaction");
    }

    @Test
    void mergedChunksStayReadable() throws Exception {
        History history = new History(2);
        ArchiveWriter writer = history.begin();
        int rounds = ArchiverState.CHUNKS_PER_MERGE * ArchiverState.CHUNKS_PER_MERGE + 10;
        for (int i = 0; i < rounds; i++) {
            history.log.grow(history.random);
            history.millis++;
            writer.writeChunk();
        }

        assertThat(history.store.objects).hasSizeLessThan(2 * ArchiverState.CHUNKS_PER_MERGE);
        history.expectEverything();
        history.expectOnlyCommitted();
        assertThat(new ArchiveReader(history.store)
                        .contents()
                        .sequencesByIncarnation()
                        .get(history.log.incarnation)
                        .get(0)
                        .marks())
                .as("no time is lost")
                .hasSize(rounds);
    }

    @Test
    void readerFindsChunksMergedConcurrently() throws Exception {
        History history = new History(5);
        ArchiveWriter writer = history.begin();
        ArchiveStore slow = new StoreBetweenReads(history.store, () -> {
            for (int i = 0; i < ArchiverState.CHUNKS_PER_MERGE / 8; i++) {
                history.log.grow(history.random);
                writer.writeChunk();
            }
        });
        for (int i = 0; i < 5 * ArchiverState.CHUNKS_PER_MERGE; i++) {
            history.log.grow(history.random);
            writer.writeChunk();
        }

        ArchiveContents contents = new ArchiveReader(slow).contents();

        assertThat(contents.sequencesByIncarnation().get(history.log.incarnation))
                .hasSize(1);
    }

    /** Time passes whenever a chunk is opened that was written by then, up to some point. */
    private static final class StoreBetweenReads implements ArchiveStore {
        private final ArchiveStore store;
        private final Step between;
        private int opened;

        interface Step {
            void run() throws IOException;
        }

        StoreBetweenReads(ArchiveStore store, Step between) {
            this.store = store;
            this.between = between;
        }

        @Override
        public void put(String name, Content content) throws IOException {
            store.put(name, content);
        }

        @Override
        public InputStream open(String name) throws IOException {
            opened++;
            if (opened % 8 == 0) {
                between.run();
            }
            return store.open(name);
        }

        @Override
        public List<String> list(String directory) throws IOException {
            return store.list(directory);
        }

        @Override
        public void delete(String name) throws IOException {
            store.delete(name);
        }
    }

    @Test
    void mergeIsSkippedWhenChunkIsMissing() throws Exception {
        History history = new History(6);
        ArchiveWriter writer = history.begin();
        history.log.grow(history.random);
        writer.writeChunk();
        history.store.objects.clear();
        for (int i = 0; i < ArchiverState.CHUNKS_PER_MERGE + 1; i++) {
            history.log.grow(history.random);
            writer.writeChunk();
        }

        assertThat(history.store.objects).hasSize(ArchiverState.CHUNKS_PER_MERGE + 1);
    }

    @Test
    void truncatedChunkIsWrittenAgain() throws Exception {
        History history = new History(7);
        history.log.grow(history.random);
        history.begin().writeChunk();
        String name = history.store.objects.keySet().iterator().next();
        byte[] whole = history.store.objects.get(name);
        history.store.objects.put(name, Arrays.copyOf(whole, whole.length - 1));

        history.begin().writeChunk();

        history.store.objects.remove(name);
        history.expectEverything();
    }

    @Test
    void writerRefusesJournalThatLostItsEntries() throws Exception {
        History history = new History(8);
        history.log.grow(history.random);
        ArchiveWriter running = history.begin();
        running.writeChunk();
        List<Entry> archived = List.copyOf(history.log.entries);
        history.log.entries.clear();

        assertThatThrownBy(() -> history.begin().writeChunk())
                .hasMessageContaining("the journal has not committed that")
                .hasMessageContaining("Nothing was written");

        for (Entry entry : archived) {
            history.log.entries.add(Entry.of(entry.position(), entry.kind(), entry.txIds(), Bytes.ofUtf8("-66 ")));
        }
        assertThatThrownBy(() -> history.begin().writeChunk())
                .hasMessageContaining("Two histories under the same numbers: the archive ends with");
        history.log.epoch = 2;
        history.log.grow(history.random);
        assertThatThrownBy(running::writeChunk)
                .hasMessageContaining("Two histories under the same numbers: the archive ends with");
    }

    @Test
    void timeBetweenMarksReportsBothMarks() throws Exception {
        History history = new History(9);
        history.addImage(0);
        ArchiveWriter writer = history.begin();
        history.log.grow(history.random);
        writer.writeChunk();
        history.millis = 9_000;
        history.log.grow(history.random);
        writer.writeChunk();
        ArchiveContents contents = new ArchiveContents(
                new ArchiveReader(history.store).contents().sequencesByIncarnation(), history.images.keySet());

        NamespaceRecipe recipe = contents.recipeAt(6_000);

        assertThat(recipe.mark().map(CommitMark::millis)).contains(1_000L);
        assertThat(recipe.nextMark().map(CommitMark::millis)).contains(9_000L);
        assertThat(contents.newestNamespace().nextMark()).isEmpty();
    }

    @Test
    void instantReportsUpToWhenItIsComplete() throws Exception {
        History history = new History(14);
        history.addImage(0);
        history.log.grow(history.random);
        history.begin().writeChunk();
        history.millis = 5_000;
        history.log.grow(history.random);
        ArchiveWriter second = history.begin();
        // A writer that was away cannot tell when what it finds was committed.
        second.writeChunk();
        assertThat(history.contents().recipeAt(3_000).nextMark()).isPresent();
        assertThat(history.contents().recipeAt(3_000).completeMillis()).isEmpty();
        history.millis = 7_000;
        second.writeChunk();
        history.millis = 9_000;
        history.log.grow(history.random);
        second.writeChunk();

        assertThat(history.contents().recipeAt(6_000).completeMillis())
                .as("the last round that found nothing")
                .contains(7_000L);
        assertThat(history.contents().newestNamespace().completeMillis())
                .as("nobody has looked since")
                .isEmpty();
        history.log.grow(history.random);
        history.millis = 8_500;
        second.writeChunk();
        assertThat(history.contents().recipeAt(8_500).nextMark())
                .as("a clock that went back")
                .isEmpty();
    }

    @Test
    void interruptedRoundDoesNotCountAsComplete() throws Exception {
        History history = new History(15);
        history.addImage(0);
        while (history.log.entries.size() < 5) {
            history.log.grow(history.random);
        }
        CommittedLog failing = new CommittedLog() {
            @Override
            public Incarnation incarnation() {
                return history.log.incarnation();
            }

            @Override
            public List<Entry> read(long firstSn, int maxBytes) throws IOException {
                if (firstSn > 1 && history.millis < 3_000) {
                    throw new IOException("connection reset");
                }
                return history.log.read(firstSn, maxBytes);
            }
        };
        ArchiveWriter writer =
                new ArchiveWriter(history.store, failing, () -> {}, "00000000000000aa", () -> history.millis);
        writer.writeChunk();
        history.millis = 4_000;
        writer.writeChunk();

        NamespaceRecipe recipe = history.contents().recipeAt(2_000);

        assertThat(recipe.nextMark().map(CommitMark::millis)).contains(4_000L);
        assertThat(recipe.completeMillis()).isEmpty();
    }

    @Test
    void timeBetweenIncarnationsIsRefused() throws Exception {
        History history = new History(10);
        history.addImage(0);
        history.log.grow(history.random);
        history.begin().writeChunk();
        history.log.incarnation = Incarnation.of(2, 0xdef);
        history.millis = 9_000;
        history.begin().writeChunk();
        ArchiveContents contents = new ArchiveContents(
                new ArchiveReader(history.store).contents().sequencesByIncarnation(), history.images.keySet());

        assertThat(contents.recipeAt(1_000).target().txId()).isPositive();
        assertThatThrownBy(() -> contents.recipeAt(6_000))
                .hasMessageContaining("has a gap from 1970-01-01T00:00:01Z")
                .hasMessageContaining("to 1970-01-01T00:00:09Z");
    }

    @Test
    void transactionMeansThatOfCurrentTimeline() throws Exception {
        List<ChunkSequence> line = List.of(
                stretch(LogBoundary.of(0, 0, -66), LogBoundary.of(500, 500, -66), List.of()),
                stretch(
                        LogBoundary.of(900, 900, -66),
                        LogBoundary.of(1_200, 600, -66),
                        List.of(VoidPoint.of(950, 401))));
        Incarnation incarnation = new GrowingLog().incarnation;
        ImageId id = ImageId.of(401, 1, "0123456789abcdef0123456789abcdef");
        ArchivedImage image = ArchivedImage.of(incarnation, id, 1_100, 1, "VERSION");
        ArchiveContents contents = new ArchiveContents(Map.of(incarnation, line), List.of(image));

        assertThatThrownBy(() -> contents.recipeAfter(400))
                .hasMessage("Wanted transaction 400, the archive has 401 to 600 behind its last gap;"
                        + " ask for one of these, or for a time");
        assertThatThrownBy(() -> contents.recipeAfter(450))
                .as("no chunk begins below the image, and the old 450 is void")
                .hasMessageContaining("Wanted an image at or below transaction 450");
    }

    private static ChunkSequence stretch(LogBoundary before, LogBoundary after, List<VoidPoint> voids) {
        ChunkName name = ChunkName.of(new GrowingLog().incarnation, "00000000000000aa", before.sn() + 1, after.sn());
        List<CommitMark> marks = List.of(CommitMark.of(after.sn(), after.lastTxId(), 1, Optional.empty()));
        return ChunkSequence.of(
                List.of(ChunkSequence.Part.of(name, ChunkHead.of(before, after, voids, List.of(), marks))));
    }

    @Test
    void detectsEveryChangedByte() throws Exception {
        History history = new History(3);
        ArchiveWriter writer = history.begin();
        for (int i = 0; i < 3; i++) {
            history.log.grow(history.random);
        }
        writer.writeChunk();
        String name = history.store.objects.keySet().iterator().next();
        byte[] whole = history.store.objects.get(name);
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            history.store.objects.put(name, changed);
            assertThatThrownBy(() -> new ArchiveReader(history.store)
                            .readChunk(ChunkName.parse(name).orElseThrow()))
                    .as("byte " + i)
                    .isInstanceOf(DamagedObjectException.class);
        }
        for (int length = 0; length < whole.length; length++) {
            history.store.objects.put(name, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> new ArchiveReader(history.store)
                            .readChunk(ChunkName.parse(name).orElseThrow()))
                    .as(length + " bytes")
                    .isInstanceOf(DamagedObjectException.class);
        }
    }

    @Test
    void rejectsTwoHistoriesUnderSameNumbers() {
        ChunkName one = ChunkName.of(new GrowingLog().incarnation, "00000000000000aa", 1, 2);
        ChunkName other = ChunkName.of(new GrowingLog().incarnation, "00000000000000bb", 3, 4);
        List<ChunkSequence.Part> parts = List.of(
                ChunkSequence.Part.of(one, head(LogBoundary.of(0, 0, 0), LogBoundary.of(2, 7, -66))),
                ChunkSequence.Part.of(other, head(LogBoundary.of(2, 8, -66), LogBoundary.of(4, 9, -66))));

        assertThatThrownBy(() -> ChunkSequence.of(parts))
                .hasMessageContaining("ends at 2 7 -66")
                .hasMessageContaining("begins at 2 8 -66");
    }

    private static ChunkHead head(LogBoundary before, LogBoundary after) {
        return ChunkHead.of(
                before,
                after,
                List.of(),
                List.of(),
                List.of(CommitMark.of(after.sn(), after.lastTxId(), 1, Optional.empty())));
    }
}
