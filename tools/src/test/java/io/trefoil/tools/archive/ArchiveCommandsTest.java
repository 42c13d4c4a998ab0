/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.ArchiverState;
import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.checkpoint.hdfs.archive.HistoricalNamespace;
import io.trefoil.checkpoint.undelete.SurvivingCopy;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeletePlanner;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.pool.JournalOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code archive write}, {@code list}, {@code verify} and {@code fetch} on a pool whose nodes hold what a test says. */
class ArchiveCommandsTest {

    private static final String VERSION = "namespaceID=7\nclusterID=CID-1\nblockpoolID=BP-1\ncTime=0\n";

    /** Above those from which HDFS counts. */
    private static final long FIRST_ID = 1L << 40;

    @TempDir
    Path directory;

    private final FakePool pool = new FakePool(1);
    private Path archive;
    private long nextTxId = 1;
    private int fetched;

    @BeforeEach
    void startLog() {
        archive = directory.resolve("archive");
        pool.node(1).members = Members.NONE;
        pool.node(1).incarnation = Incarnation.of(3, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(3, 0xc0ffee));
        add(EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
        startSegment();
        addBatch(3);
    }

    private void startSegment() {
        add(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(nextTxId), Bytes.ofUtf8("-66"));
    }

    private void addBatch(int count) {
        ByteArrayOutputStream edits = new ByteArrayOutputStream();
        for (long txId = nextTxId; txId < nextTxId + count; txId++) {
            edits.writeBytes(EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, txId, FIRST_ID + txId)
                    .toByteArray());
        }
        add(EntryKind.EDITS, TxRange.of(nextTxId, nextTxId + count - 1), Bytes.wrap(edits.toByteArray()));
        nextTxId += count;
    }

    private void endSegment(long first) {
        add(EntryKind.SEGMENT_END, TxRange.of(first, nextTxId - 1), Bytes.EMPTY);
    }

    private void add(EntryKind kind, TxRange txIds, Bytes payload) {
        List<Entry> log = pool.node(1).log;
        log.add(Entry.of(LogPosition.of(FakePool.EPOCH, log.size() + 1), kind, txIds, payload));
    }

    private void holdImage(long txId) throws Exception {
        byte[] bytes = ("image of " + txId).getBytes(StandardCharsets.UTF_8);
        Bytes checksums = Bytes.wrap(
                ByteBuffer.allocate(4).putInt(Crc32c.of(bytes, 0, bytes.length)).array());
        String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        pool.node(1)
                .images
                .put(HeldImage.of(ImageId.of(txId, bytes.length, md5), checksums, VERSION), Bytes.wrap(bytes));
    }

    private int write() {
        return pool.run(
                "archive",
                "write",
                "--dir",
                archive.toUri().toString(),
                "--work",
                directory.resolve("work").toString(),
                "--once");
    }

    private int run(String command, String... options) {
        return pool.run(Stream.concat(
                        Stream.of("archive", command, "--dir", archive.toUri().toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private List<Path> objects() throws IOException {
        try (Stream<Path> files = Files.walk(archive)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void fetchCreatesNamespaceAtTransaction() throws Exception {
        holdImage(2);
        endSegment(1);
        startSegment();
        addBatch(5);

        assertThat(write()).as(pool.errors).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("The archive has everything up to transaction 8, entry 6, and a new image\n");
        assertThat(run("list")).as(pool.output).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .containsPattern("3-0000000000c0ffee +1 +8 +20")
                .containsPattern(" 2 +10 +[0-9a-f]{32} +20");
        assertThat(run("verify")).isEqualTo(ExitCode.FINE);
        Path to = directory.resolve("past");
        Path newest = directory.resolve("newest");
        assertThat(run("fetch", "--to", newest.toString())).isZero();
        assertThat(pool.output).contains("\nIts last edits were committed by 20");

        assertThat(run("fetch", "--to", to.toString(), "--txid", "6"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("after transaction 6 is in", "the image of transaction 2");
        Path current = to.resolve("current");
        assertThat(current.resolve("fsimage_0000000000000000002")).hasContent("image of 2");
        assertThat(current.resolve("fsimage_0000000000000000002.md5"))
                .content()
                .endsWith(" *fsimage_0000000000000000002\n");
        assertThat(current.resolve("VERSION")).hasContent(VERSION);
        assertThat(current.resolve("seen_txid")).hasContent("6");
        assertThat(current.toFile().list()).contains("edits_0000000000000000003-0000000000000000003");
        assertThat(txIds(current.resolve("edits_0000000000000000003-0000000000000000003")))
                .containsExactly(3L);
        assertThat(txIds(current.resolve("edits_inprogress_0000000000000000004")))
                .containsExactly(4L, 5L, 6L);
        assertThat(run("fetch", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("current exists already", "nothing was changed");
    }

    @Test
    void showListsPathAndLeavesNoFiles() throws Exception {
        holdImage(2);
        write();
        Path work = Files.createDirectory(directory.resolve("scratch"));
        Files.createDirectory(work.resolve("current"));

        assertThat(run("show", "--work", work.toString(), "--txid", "3", "/logs"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .startsWith("after transaction 3\nPERMISSION  OWNER  GROUP  BYTES  MODIFIED              PATH\n")
                .contains(
                        "-rw-r-----  alice  staff      7  1970-01-01T00:00:00Z  /logs/edits_inprogress_0000000000000000003\n");
        assertThat(work.toFile().list()).as("what was there before").containsExactly("current");
        assertThat(run("show", "--work", work.toString(), "--json", "/logs")).isZero();
        assertThat(pool.output).contains("\"kind\": \"file\"", "\"txId\": 3");
    }

    @Test
    void mountServesNamespaceAndLeavesNoFiles() throws Exception {
        holdImage(2);
        write();
        Path work = directory.resolve("scratch");

        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--port", "9900", "--http-port", "9901"))
                .as(pool.errors)
                .isZero();

        assertThat(pool.output)
                .isEqualTo(
                        "The namespace after transaction 3 is at hdfs://127.0.0.1:9900 and http://127.0.0.1:9901 until this"
                                + " command ends\n");
        assertThat(work).isEmptyDirectory();
        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--json"))
                .isZero();
        assertThat(pool.output).contains("\"uri\": \"hdfs://127.0.0.1:0\"");
        assertThat(run("mount", "--work", work.toString(), "--txid", "3", "--port", "70000"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--port is a port from 0 to 65535; got 70000");
        assertThat(run("mount", "--work", work.toString(), "--host", "no.such.invalid"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--host is an address of this host; cannot resolve no.such.invalid");
    }

    @Test
    void restorePreparesSuccessorWhenNoNameNodeAnswers() throws Exception {
        holdImage(2);
        write();
        pool.poolConfigured = true;
        Path to = directory.resolve("nn");

        assertThat(run("restore", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("NameNode nn1 of ns1 answers at host1:9870", "nothing was changed");
        assertThat(to).doesNotExist();

        pool.nameNodes.pages.clear();
        pool.nameNodes.hung.add("host2:9870");
        assertThat(run("restore", "--to", to.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("NameNode nn2 of ns1 accepts connections at host2:9870", "nothing was changed");
        assertThat(to).doesNotExist();

        pool.nameNodes.hung.clear();
        assertThat(run("restore", "--to", to.toString())).as(pool.errors).isZero();
        assertThat(pool.output)
                .startsWith("The namespace after transaction 3 is in " + to)
                .endsWith("Next: hdfs namenode -initializeSharedEdits, and start this host's NameNode\n");
        assertThat(to.resolve("current/successor")).exists();
        assertThat(to.resolve("current/fsimage_0000000000000000002")).exists();

        pool.cannotReserveIds = true;
        assertThat(run("restore", "--to", directory.resolve("full").toString())).isEqualTo(ExitCode.FINDING);
        assertThat(directory.resolve("full/current"))
                .as("it would assign ids a second time")
                .doesNotExist();
        assertThat(run("restore", "--to", to.toString(), "--execute")).isEqualTo(ExitCode.FINDING);
        assertThat(to.resolve("current/successor")).as("what was there before").exists();
    }

    @Test
    void restoreMovesNamespaceAsideAndUndoesThat() throws Exception {
        holdImage(2);
        write();
        addBatch(4);
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Files.createFile(Files.createDirectories(to.resolve("current")).resolve("of-before"));

        assertThat(run("restore", "--to", to.toString(), "--txid", "3"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .startsWith(
                        "dry run, nothing was changed; --execute does it\nThe namespace after transaction 3 would be");
        assertThat(to.toFile().list()).containsExactly("current");
        assertThat(run("restore", "--to", to.toString(), "--undo")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("there is nothing to undo; nothing was changed");

        pool.node(1).silence = "connection refused";
        assertThat(run("restore", "--to", to.toString(), "--txid", "3", "--execute"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("The archive may lack what the pool has committed", "Nothing was changed");
        assertThat(to.toFile().list()).containsExactly("current");

        pool.node(1).silence = "";
        assertThat(run("restore", "--to", to.toString(), "--txid", "3", "--execute"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .startsWith("The namespace after transaction 3 is in " + to)
                .contains("What was there is now " + to + "/current.before-archive-restore-")
                .endsWith("Next: hdfs namenode -initializeSharedEdits -force, and start this host's NameNode\n");
        assertThat(pool.reservedAbove.contiguousId())
                .as("what was assigned after that instant")
                .isEqualTo(FIRST_ID + 7);
        assertThat(movedAside(to))
                .allMatch(path -> Files.exists(path.resolve("of-before")))
                .hasSize(1);

        beginIncarnation(4);
        nextTxId = 900;
        addBatch(1);
        assertThat(run("restore", "--to", to.toString(), "--undo", "--at", "2026-11-28T12:00:03Z"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("restore", "--to", to.toString(), "--undo", "--execute", "--json"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output).contains("\"txId\": 7", "\"dryRun\": false", "current.before-archive-restore-")
                .as("the new incarnation has no image yet, from which that could be undone")
                .contains("\"undoObstacle\": \"Wanted an image");
        assertThat(pool.reservedAbove.contiguousId())
                .as("what was assigned after the restore")
                .isEqualTo(FIRST_ID + 900);
        assertThat(movedAside(to)).hasSize(2);
        assertThat(run("list")).as("no image of the newest incarnation").isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("3-0000000000c0ffee", "4-0000000000c0ffee");
    }

    @Test
    void restoreRefusesWhileOtherDirectoryHasNamespace() throws Exception {
        holdImage(2);
        write();
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Path other = directory.resolve("nn-of-other-disk");
        pool.nameDirectories.addAll(List.of(to, other));
        Files.createDirectories(other.resolve("current"));

        for (String[] order : new String[][] {{"--txid", "3"}, {"--txid", "3", "--execute"}, {"--undo", "--execute"}}) {
            assertThat(run(
                            "restore",
                            Stream.concat(Stream.of("--to", to.toString()), Stream.of(order))
                                    .toArray(String[]::new)))
                    .isEqualTo(ExitCode.FINDING);
            assertThat(pool.errors)
                    .contains(
                            "has a namespace or edits also in [" + other + "]",
                            "move current aside",
                            "nothing was changed");
            assertThat(to).doesNotExist();
        }

        Files.move(other.resolve("current"), other.resolve("current.aside"));
        assertThat(run("restore", "--to", directory + "/./nn")).as(pool.errors).isZero();
        assertThat(run("restore", "--to", directory + "/./nn"))
                .as("a dry run with another name of the same directory: " + pool.errors)
                .isZero();
    }

    @Test
    void restoreRefusesWhenUndoWouldFail() throws Exception {
        holdImage(2);
        write();
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        long millis =
                new ArchiveReader(store).contents().newestMark().orElseThrow().millis();
        String at = Instant.ofEpochMilli(millis).toString();
        pool.node(1).images.clear();
        nextTxId = 1;
        beginIncarnation(4);
        addBatch(3);
        pool.nameNodes.pages.clear();
        Path to = directory.resolve("nn");
        Files.createDirectories(to.resolve("current"));

        assertThat(run("restore", "--to", to.toString(), "--at", at, "--execute"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("It could not be undone: Wanted an image", "archive write", "Nothing was changed");
        assertThat(to.toFile().list()).containsExactly("current");
        assertThat(run("restore", "--to", to.toString(), "--at", at))
                .as("the archive has the new incarnation by now")
                .isEqualTo(ExitCode.FINDING);

        holdImage(2);
        write();
        assertThat(run("restore", "--to", to.toString(), "--at", at, "--execute"))
                .as(pool.errors)
                .isZero();
    }

    @Test
    void undeleteListsEachPathAndChangesNothingWithoutOrder() throws Exception {
        holdImage(2);
        write();
        String work = directory.resolve("scratch").toString();
        HistoricalFile file = HistoricalFile.builder()
                .path("/logs/a")
                .kind(HistoricalFile.Kind.FILE)
                .permission("rw-r-----")
                .owner("alice")
                .group("staff")
                .bytes(7)
                .modifiedMillis(1_000)
                .inode(16_390)
                .build();
        SurvivingCopy copy = SurvivingCopy.of(SurvivingCopy.Keeper.SNAPSHOT, "/logs/.snapshot/s1/a", 7, 1_000);
        UndeleteStep had = UndeletePlanner.planFile(file, false, List.of(copy), UndeleteOptions.of(false));
        pool.undeleteSteps = List.of(had, UndeletePlanner.planLoss(file, "it is a symbolic link"));

        assertThat(run("undelete", "--work", work, "--txid", "3", "/logs/a")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        after transaction 3
                        ACTION  PATH     WHY
                        copy    /logs/a  a snapshot has it: /logs/.snapshot/s1/a
                        lose    /logs/a  it is a symbolic link
                        1 to be done, 0 there already, 1 not brought back
                        dry run, nothing was changed; --execute does it
                        """);
        assertThat(pool.undeleted).isEmpty();

        pool.undeleteSteps = List.of(had);
        assertThat(run("undelete", "--work", work, "--txid", "3", "--execute", "--copy-renamed", "--json", "/logs/a"))
                .as(pool.errors)
                .isZero();
        assertThat(pool.output)
                .contains("\"action\": \"copy\"", "\"source\": \"/logs/.snapshot/s1/a\"", "\"executed\": true");
        assertThat(pool.undeleted).containsExactly(had);
        assertThat(pool.undeleteOptions).containsExactly(UndeleteOptions.of(false), UndeleteOptions.of(true));
        pool.undeleteFailure = Optional.of("it is in the way");
        assertThat(run("undelete", "--work", work, "--txid", "3", "--execute", "/logs/a"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains(
                        "fail    /logs/a  a snapshot has it: /logs/.snapshot/s1/a; failed: it is in the way",
                        "0 done, 0 there already, 1 not brought back");
        assertThat(run("undelete", "--work", work, "--txid", "3", "--overwrite", "/logs/a"))
                .as("nothing is ever overwritten")
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("undelete", "--work", work, "/logs/a")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("Wanted --at or --txid");
        assertThat(run("undelete", "--work", work, "--txid", "3", "logs")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("PATH is a path from / on; got logs");
        pool.poolConfigured = false;
        assertThat(run("undelete", "--work", work, "--txid", "3", "/logs/a")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("Wanted a nameservice of the configuration whose NameNodes have journal ns1");
    }

    private static List<Path> movedAside(Path nameDirectory) throws IOException {
        try (Stream<Path> files = Files.list(nameDirectory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("current."))
                    .toList();
        }
    }

    private void beginIncarnation(long number) {
        pool.node(1).log.clear();
        pool.node(1).incarnation = Incarnation.of(number, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(pool.node(1).incarnation);
        add(EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
        startSegment();
    }

    @Test
    void diffListsChanges() throws Exception {
        holdImage(2);
        endSegment(1);
        startSegment();
        addBatch(2);
        write();
        String work = directory.resolve("scratch").toString();

        assertThat(run("diff", "--work", work, "--from", "3", "/logs"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINDING);

        assertThat(pool.output)
                .isEqualTo(
                        """
                        from transaction 3 to transaction 5
                        created /logs/edits_inprogress_0000000000000000004
                        """);
        assertThat(run("diff", "--work", work, "--from", "5", "--to", "3", "--json", "/logs"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("\"what\": \"deleted\"", "\"fromTxId\": 5");
        assertThat(run("diff", "--work", work, "--from", "5", "/logs")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("from transaction 5 to transaction 5\nnothing is different\n");
        assertThat(Path.of(work)).isEmptyDirectory();
        assertThat(run("diff", "--work", work, "--from", "5", "/never")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("/never was there at neither instant");
        assertThat(run("diff", "--work", work, "--from", "yesterday", "/logs")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--from is a time in UTC, as 2026-11-28T12:00:03Z; got yesterday");
    }

    @Test
    void statusComparesArchiveWithPool() throws Exception {
        holdImage(2);
        write();
        assertThat(run("status")).as(pool.errors).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .startsWith("The archive has everything up to transaction 3, committed by ")
                .endsWith(
                        """
                        Z, and that is all that the pool has committed
                        The newest image is of transaction 2, 1 are replayed behind it
                        """);

        addBatch(4);
        assertThat(run("status")).as("it was written seconds ago").isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("Z; the pool has committed transaction 7, 4 more\n");
        assertThat(run("status", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"missingTransactions\": 4", "\"imageTxId\": 2");

        pool.node(1).incarnation = Incarnation.of(4, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(4, 0xc0ffee));
        assertThat(run("status")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .isEqualTo(
                        "The archive has nothing of incarnation 4-0000000000c0ffee, which is in force in the pool\n");
    }

    @Test
    void fetchReportsUpToWhenInstantIsComplete() throws Exception {
        holdImage(2);
        write();
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        deleteLog(store);
        AtomicLong millis = new AtomicLong(1_000);
        ArchiveWriter writer = newWriter(store, millis);
        writer.writeChunk();
        addBatch(1);
        millis.set(9_000);
        newWriter(store, millis).writeChunk();

        assertThat(fetchAt(5_000)).isZero();
        assertThat(pool.output)
                .endsWith(
                        """
                        Its last edits were committed by 1970-01-01T00:00:01Z; the next ones reached the archive by 1970-01-01T00:00:09Z
                        What else had been committed by then is not known: no writer was up to date
                        """);

        deleteLog(store);
        millis.set(1_000);
        writer = newWriter(store, millis);
        writer.writeChunk();
        millis.set(8_500);
        writer.writeChunk();
        addBatch(1);
        millis.set(9_000);
        writer.writeChunk();
        assertThat(fetchAt(5_000)).isZero();
        assertThat(pool.output).endsWith("\nNothing is missing that was committed by 1970-01-01T00:00:08.500Z\n");
        assertThat(fetchAt(5_000, "--json")).isZero();
        assertThat(pool.output).contains("\"completeUntilMillis\": 8500");
    }

    private ArchiveWriter newWriter(ArchiveStore store, AtomicLong millis) throws IOException {
        return new ArchiveWriter(
                store, pool.openCommittedLog(pool.find(Optional.empty())), () -> {}, "00000000000000aa", millis::get);
    }

    private int fetchAt(long millis, String... options) {
        String to = directory.resolve("past" + fetched++).toString();
        String at = Instant.ofEpochMilli(millis).toString();
        return run(
                "fetch",
                Stream.concat(Stream.of("--to", to, "--at", at), Stream.of(options))
                        .toArray(String[]::new));
    }

    private static void deleteLog(ArchiveStore store) throws IOException {
        for (String name : store.list("log")) {
            store.delete(name);
        }
    }

    @Test
    void statusReportsAbandonedArchive() throws Exception {
        holdImage(2);
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        write();
        deleteLog(store);
        new ArchiveWriter(store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", () -> 1_000).writeChunk();
        assertThat(run("status")).as("nothing was committed since").isEqualTo(ExitCode.FINE);

        addBatch(1);

        assertThat(run("status")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("committed by 1970-01-01T00:00:01Z; the pool has committed transaction 4, 1 more");
    }

    private static List<Long> txIds(Path edits) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(edits));
        assertThat(bytes.getInt()).as("layout version").isEqualTo(-66);
        assertThat(bytes.getInt()).as("flags").isZero();
        Stream.Builder<Long> txIds = Stream.builder();
        while (bytes.hasRemaining()) {
            int size = bytes.getInt(bytes.position() + 1);
            txIds.add(bytes.getLong(bytes.position() + 5));
            bytes.position(bytes.position() + size + 5);
        }
        return txIds.build().toList();
    }

    @Test
    void newestNamespaceFollowsRestoredTimeline() throws Exception {
        holdImage(2);
        endSegment(1);
        write();
        startSegment();
        addBatch(4);
        endSegment(4);
        write();
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(4), Bytes.EMPTY);
        nextTxId = 4;
        startSegment();
        addBatch(2);
        write();

        assertThat(run("list")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("Transactions from 4 on became void at entry 8");
        assertThat(run("fetch", "--to", directory.resolve("new").toString()))
                .as(pool.errors)
                .isZero();
        assertThat(txIds(directory.resolve("new/current/edits_inprogress_0000000000000000004")))
                .containsExactly(4L, 5L);
        assertThat(run("fetch", "--to", directory.resolve("no").toString(), "--txid", "7"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("Wanted transaction 7, the archive has 1 to 5");
        assertThat(directory.resolve("no/current")).doesNotExist();
    }

    @Test
    void rewriteAddsOnlyNewEntries() throws Exception {
        write();
        List<Path> before = objects();
        addBatch(2);

        assertThat(write()).isEqualTo(ExitCode.FINE);

        assertThat(objects()).hasSize(before.size() + 1).containsAll(before);
        assertThat(objects().get(objects().size() - 1).getFileName().toString().length())
                .isEqualTo(39);
        assertThat(objects())
                .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as("it has keys")
                        .isEqualTo("rw-------"));
        assertThat(run("list")).as("there is no image").isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("there is no image yet");
    }

    @Test
    void copiesNoImageOlderThanArchivedEdits() throws Exception {
        holdImage(9);

        assertThat(write()).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("no new image");
        assertThat(objects()).as("its transactions are not in the archive").hasSize(2);
    }

    @Test
    void copiesNewerImageOnlyOnceArchiveHasCaughtUp() throws Exception {
        endSegment(1);
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        ArchiveWriter writer = new ArchiveWriter(
                store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", System::currentTimeMillis);
        writer.writeChunk();
        add(EntryKind.DISCARD, TxRange.emptyRangeAt(1), Bytes.EMPTY);
        nextTxId = 1;
        startSegment();
        addBatch(2);
        holdImage(2);
        Options options = new Options(pool);
        new CommandLine(options).parseArgs();
        ImageCopier copier = new ImageCopier(
                new FetchedImages(options.journal, place, directory.resolve("work")),
                store,
                writer,
                ImageRecords.Pace.FREE,
                System::currentTimeMillis);

        assertThat(copier.copyNewest(sn -> writer.archivedUpTo().orElseThrow().sn() >= sn))
                .as("the archive lacks the restore that the image is behind")
                .isFalse();

        assertThat(store.list("images")).isEmpty();
        writer.writeChunk();
        assertThat(copier.copyNewest(sn -> writer.archivedUpTo().orElseThrow().sn() >= sn))
                .isTrue();
        assertThat(new ArchiveReader(store).contents().images().get(0).confirmedSn())
                .isEqualTo(pool.node(1).log.size());
    }

    /** A command that has only the options of all. */
    @Command
    private static final class Options {
        @Mixin
        private final JournalOptions journal;

        Options(FakePool pool) {
            journal = new JournalOptions(pool);
        }
    }

    @Test
    void fetchContinuesWhenChunksAreMergedConcurrently() throws Exception {
        holdImage(2);
        write();
        JournalLocation place = pool.find(Optional.empty());
        ArchiveStore store = pool.openArchive(archive.resolve("ns1").toUri().toString());
        ArchiveWriter writer = new ArchiveWriter(
                store, pool.openCommittedLog(place), () -> {}, "00000000000000aa", System::currentTimeMillis);
        for (int i = 0; i < ArchiverState.CHUNKS_PER_MERGE - 1; i++) {
            addBatch(1);
            writer.writeChunk();
        }
        ArchiveReader reader = new ArchiveReader(store);
        NamespaceRecipe recipe = reader.contents().newestNamespace();
        addBatch(1);
        writer.writeChunk();
        assertThat(store.list("log")).as("they were merged").hasSize(2);

        HistoricalNamespace.write(
                reader, recipe, directory.resolve("past"), Progress.SILENT.begin("fetch", "transactions"));

        long newest = recipe.target().txId();
        assertThat(newest).isEqualTo(nextTxId - 2);
        assertThat(txIds(directory.resolve("past/current/edits_inprogress_0000000000000000003")))
                .hasSize((int) newest - 2)
                .endsWith(newest);
    }

    @Test
    void listReportsNewestIncarnationWithoutImage() throws Exception {
        holdImage(2);
        write();
        pool.node(1).images.clear();
        pool.node(1).incarnation = Incarnation.of(4, 0xc0ffee);
        pool.node(1).base = LogSummary.ORIGIN.with(Incarnation.of(4, 0xc0ffee));
        write();

        assertThat(run("list")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("there is no image yet of incarnation 4-0000000000c0ffee, the newest");
    }

    @Test
    void refusesArchiveOfOtherJournal() throws Exception {
        String text = "trefoil-archive 1\njournal=ns2\nclusterId=CID-1\nnamespaceId=7\n";
        Files.createDirectories(archive.resolve("ns1"));
        Files.writeString(archive.resolve("ns1/archive"), text + checksum(text));

        assertThat(run("list")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors).contains("wanted the archive of journal ns1, found that of ns2");
    }

    private static String checksum(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return String.format("crc32c=%08x%n", Crc32c.of(bytes, 0, bytes.length));
    }

    @Test
    void reportsGapAndDoesNotCrossIt() throws Exception {
        write();
        pool.node(1).log.clear();
        pool.node(1).base = LogSummary.of(
                        LogPosition.of(FakePool.EPOCH, 7), Members.NONE, 20, Optional.of(18L), Optional.empty())
                .with(Incarnation.of(3, 0xc0ffee));
        pool.node(1)
                .log
                .add(Entry.of(
                        LogPosition.of(FakePool.EPOCH, 8),
                        EntryKind.EDITS,
                        TxRange.of(21, 21),
                        EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, 21, 1)));

        assertThat(write()).as(pool.errors).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("the journal no longer had 4 entries before that");
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("gap: entries 4 to 7 of incarnation 3-0000000000c0ffee are missing");
    }

    @Test
    void findsAndOmitsDamage() throws Exception {
        holdImage(2);
        write();
        Path chunk = objects().stream()
                .filter(file -> file.toString().contains("/log/"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(chunk);
        bytes[bytes.length - 1] ^= 1;
        Files.write(chunk, bytes);

        assertThat(run("verify")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("it is damaged", "1 damaged: move them out of the archive");
        assertThat(run("fetch", "--to", directory.resolve("past").toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("it is damaged");
        assertThat(directory.resolve("past/current")).doesNotExist();

        bytes[30] ^= 1;
        Files.write(chunk, bytes);
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("there are no edits yet", "damaged: log/");
    }

    @Test
    void pruneDeletesObjectsUnneededWithinRetention() throws Exception {
        holdImage(2);
        write();
        assertThat(run("prune", "--retention", "1h")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).isEqualTo("nothing to delete: there are fewer than 2 images\n");
        for (long txId : new long[] {4, 6}) {
            addBatch(2);
            holdImage(txId);
            write();
        }
        List<Path> before = objects();
        assertThat(run("prune", "--retention", "1h")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).startsWith("nothing to delete: instants from ");

        assertThat(run("prune", "--retention", "1s")).as(pool.errors).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("fsimage_0000000000000000002", "dry run, nothing was changed; --execute does it");
        assertThat(objects()).isEqualTo(before);
        assertThat(run("prune", "--retention", "1s", "--execute")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains(" objects deleted; instants from ");
        assertThat(objects()).hasSizeLessThan(before.size());
        assertThat(run("list")).isEqualTo(ExitCode.FINE);
        assertThat(run("verify")).isEqualTo(ExitCode.FINE);
        assertThat(run("fetch", "--to", directory.resolve("past").toString(), "--txid", "7"))
                .as(pool.errors)
                .isEqualTo(ExitCode.FINE);
        assertThat(run("prune", "--retention", "1s")).isEqualTo(ExitCode.FINE);
        assertThat(run("prune", "--retention", "soon")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void refusesArchiveOfOtherNamespace() throws Exception {
        write();
        List<Path> before = objects();
        pool.node(1).namespace = NamespaceId.of("CID-2", 8);

        assertThat(write()).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains("wanted the archive of clusterId CID-2, found that of CID-1", "Nothing was changed");
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void rejectsInvalidArchivesAndTimes() throws Exception {
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("wanted an archive, found no object 'archive' there");
        write();
        String to = directory.resolve("past").toString();
        assertThat(run("fetch", "--to", to, "--at", "yesterday")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--at is a time in UTC, as 2026-11-28T12:00:03Z; got yesterday");
        assertThat(run("fetch", "--to", to, "--at", "2001-01-01T00:00:00Z")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("the archive begins at ");
        assertThat(run("fetch", "--to", to, "--at", "2101-01-01T00:00:00Z")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("the archive ends at ");
        assertThat(run("fetch", "--to", to, "--at", "2101-01-01T00:00:00Z", "--txid", "1"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("fetch", "--to", to)).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("Wanted an image at or below transaction 3");
        assertThat(pool.run("archive", "list", "--dir", "nosuch://host/dir")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void objectsMatchDocumentation() throws Exception {
        write();
        Path root = archive.resolve("ns1");
        assertThat(root.resolve("archive"))
                .content()
                .startsWith("trefoil-archive 1\njournal=ns1\nclusterId=CID-1\nnamespaceId=7\ncrc32c=");
        Path chunk = objects().stream()
                .filter(file -> file.toString().contains("/log/"))
                .findFirst()
                .orElseThrow();
        assertThat(root.relativize(chunk).toString())
                .matches("log/3-0000000000c0ffee/[0-9a-f]{16}/0000000000000000001-0000000000000000003");
        assertThat(new String(Files.readAllBytes(chunk), StandardCharsets.ISO_8859_1))
                .matches("(?s)trefoil-archive-chunk 1\nbefore=0 0 0\nafter=3 3 -66\nmark=3 3 [0-9]{13}\n"
                        + "body=213 [0-9a-f]{8}\ncrc32c=[0-9a-f]{8}\n.{213}");
        Files.writeString(root.resolve("archive"), "trefoil-archive 2\n" + checksum("trefoil-archive 2\n"));
        assertThat(run("list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("wanted 'trefoil-archive 1', found 'trefoil-archive 2'");
    }
}
