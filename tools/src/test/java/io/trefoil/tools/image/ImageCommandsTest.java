/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code image list}, {@code image fetch} and {@code renew} on a pool whose nodes hold what a test says. */
class ImageCommandsTest {

    private static final String VERSION = "namespaceID=7\nclusterID=CID-1\nblockpoolID=BP-1\ncTime=0\n";

    @TempDir
    Path directory;

    private final FakePool pool = new FakePool(3);

    @BeforeEach
    void commitEntries() {
        pool.all()
                .forEach(node -> node.base = LogSummary.of(
                        LogPosition.of(FakePool.EPOCH, 7), Members.NONE, 300, Optional.empty(), Optional.empty()));
    }

    private HeldImage hold(long txId, String content, int... nodes) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        Bytes checksums = Bytes.wrap(
                ByteBuffer.allocate(4).putInt(Crc32c.of(bytes, 0, bytes.length)).array());
        HeldImage image = HeldImage.of(ImageId.of(txId, bytes.length, md5(bytes)), checksums, VERSION);
        for (int node : nodes) {
            pool.node(node).images.put(image, Bytes.wrap(bytes));
        }
        return image;
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static Path image(Path directory, long txId) {
        return directory.resolve("current").resolve(String.format("fsimage_%019d", txId));
    }

    @Test
    void listShowsEachImageWithItsHolders() {
        HeldImage older = hold(100, "older", 1, 2, 3);
        hold(200, "newer", 1, 2);
        hold(200, "in other bytes", 3);

        assertThat(pool.run("image", "list")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output)
                .contains("TXID  BYTES  MD5")
                .contains(older.id().md5() + "  host1:8487 host2:8487 host3:8487")
                .contains("  host1:8487 host2:8487\n")
                .contains("  host3:8487\n");
        assertThat(pool.output.indexOf(" 200 ")).as("newest first").isLessThan(pool.output.indexOf(" 100 "));
    }

    @Test
    void listReportsUnresponsiveNodesAndMissingImages() {
        pool.node(2).silence = "connection refused";

        assertThat(pool.run("image", "list")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output)
                .contains("host2:8487 does not say what it holds: connection refused")
                .contains("no image");
        assertThat(pool.run("image", "list", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("\"images\": [ ]").contains("\"host2:8487\": \"connection refused\"");
    }

    @Test
    void fetchSelectsNewestOrRequestedImage() {
        hold(100, "older", 1, 2);
        hold(200, "newer", 3);
        Path to = directory.resolve("nn");

        assertThat(pool.run("image", "fetch", "--to", to.toString())).isEqualTo(ExitCode.FINE);
        assertThat(image(to, 200)).hasContent("newer");
        assertThat(pool.output).contains("1 part; 1 from host3:8487");
        assertThat(pool.begun).containsExactly("fetch, MiB");
        assertThat(pool.counted.done).isEqualTo(1);
        assertThat(pool.counted.total).isEqualTo(1);
        assertThat(pool.run("image", "fetch", "--txid", "100", "--to", to.toString()))
                .isEqualTo(ExitCode.FINE);
        assertThat(image(to, 100)).hasContent("older");
        assertThat(pool.run("image", "fetch", "--to", to.toString(), "--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"partsBefore\": 1").contains("\"txId\": 200");
    }

    @Test
    void fetchReportsAvailableImagesWhenRequestedIsMissing() {
        hold(100, "older", 1, 2);

        assertThat(pool.run("image", "fetch", "--txid", "7", "--to", directory.toString()))
                .isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains("Wanted the image of transaction 7, the pool has images of transactions 100 at"
                        + " [host1:8487, host2:8487]");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void damagedImageIsNotPlaced() {
        HeldImage image = hold(100, "right", 1, 2);
        pool.node(1).images.put(image, Bytes.ofUtf8("wrong"));
        pool.node(2).images.put(image, Bytes.ofUtf8("short"));

        assertThat(pool.run("image", "fetch", "--to", directory.toString())).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors).contains("Only 0 of 1 parts").contains("do not match their checksums");
        assertThat(directory.resolve("current")).doesNotExist();
    }

    @Test
    void renewsAllEmptyNameDirectories() throws IOException {
        hold(200, "newer", 1, 2);
        restoreJournalTo(150);
        pool.nameDirectories.add(directory.resolve("1"));
        pool.nameDirectories.add(directory.resolve("2"));

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory.resolve("1"), 200)).hasContent("newer");
        assertThat(image(directory.resolve("2"), 200)).hasContent("newer");
        assertThat(directory.resolve("2/current/VERSION")).hasContent(VERSION);
        assertThat(pool.output).contains("this NameNode has no image").contains("1 part; ");
        assertThat(pool.pinService.orders).containsExactly("renew nn2 behind 200");
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("it can start");
    }

    @Test
    void renewsImageOlderThanJournalAndKeepsOldFiles() throws IOException {
        createLocalImage(100);
        hold(120, "too old as well", 1);
        hold(200, "newer", 2);
        restoreJournalTo(101);
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(image(directory, 200)).doesNotExist();

        restoreJournalTo(150);
        assertThat(pool.run("renew", "--json")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory, 200)).hasContent("newer");
        assertThat(image(directory, 100)).exists();
        assertThat(pool.output)
                .contains("\"needed\": true")
                .contains("\"ownImage\": 100")
                .contains("\"oldestKept\": 150");
    }

    /** HDFS forgets the upgrade where it does not find that image beside a later one. */
    @Test
    void renewFetchesRollbackImageDuringRollingUpgrade() throws IOException {
        hold(200, "newer", 1, 2);
        holdRollbackImage(150, 1);
        restoreJournalTo(150);
        pool.nameDirectories.add(directory);
        setActiveNode(1);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory, 200)).hasContent("newer");
        Path rollback = directory.resolve("current/fsimage_rollback_0000000000000000150");
        assertThat(rollback).hasContent("rollback");
        assertThat(Path.of(rollback + ".md5")).content().endsWith("*" + rollback.getFileName() + "\n");
        assertThat(directory.resolve("current/VERSION")).hasContent(VERSION);

        Files.delete(rollback);
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("it can start");
        assertThat(rollback).exists();
    }

    /** The node that holds it may not know that the upgrade has been finalized. */
    @Test
    void renewSkipsRollbackImageWhenActiveHasNone() throws IOException {
        hold(200, "newer", 1, 2);
        holdRollbackImage(150, 2);
        restoreJournalTo(150);
        pool.nameDirectories.add(directory);
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(pool.errors).contains("no NameNode is active that says whether it is going on");
        setActiveNode(1);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(directory.resolve("current/fsimage_rollback_0000000000000000150"))
                .doesNotExist();
    }

    private void holdRollbackImage(long txId, int node) {
        byte[] bytes = "rollback".getBytes(StandardCharsets.UTF_8);
        Bytes checksums = Bytes.wrap(
                ByteBuffer.allocate(4).putInt(Crc32c.of(bytes, 0, bytes.length)).array());
        ImageId id = ImageId.of(txId, bytes.length, md5(bytes));
        pool.node(node).images.put(HeldImage.of(id, checksums, HeldImage.markAsRollback(VERSION)), Bytes.wrap(bytes));
    }

    private void setActiveNode(int node) {
        pool.all().forEach(each -> {
            each.writer = WriterId.of("term@" + FakePool.address(node));
            each.leaseHeldMillis = 3_000;
        });
    }

    /** HDFS would load it, find it rotten, and end, at each start again. */
    @Test
    void renewFetchesAnotherWhenNewestImageIsCorrupt() throws IOException {
        createLocalImage(200);
        Files.writeString(image(directory, 200), "rotten");
        hold(200, "own", 1, 2);
        restoreJournalTo(150);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory, 200)).hasContent("own");
        assertThat(directory.resolve("fsimage_0000000000000000200.damaged")).hasContent("rotten");
        assertThat(directory.resolve("fsimage_0000000000000000200.damaged.md5")).exists();
        assertThat(pool.errors).contains("fsimage_0000000000000000200.damaged was set aside: its MD5 is ");
    }

    @Test
    void renewFetchesNothingWhenOlderIntactImageSuffices() throws IOException {
        createLocalImage(100);
        createLocalImage(200);
        Files.writeString(image(directory, 200), "rotten");
        restoreJournalTo(50);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("newest image of this NameNode is of transaction 100");
        assertThat(image(directory, 200)).doesNotExist();
    }

    @Test
    void renewFetchesNewestImageOnRequestDespiteUsableLocalImage() throws IOException {
        createLocalImage(100);
        hold(200, "newer", 2);
        restoreJournalTo(1);

        assertThat(pool.run("renew", "--newest")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory, 200)).hasContent("newer");
        assertThat(pool.output).contains("it gets the newest one");
    }

    @Test
    void renewReportsAbsenceOfNewerImage() throws IOException {
        createLocalImage(200);
        hold(200, "the same", 2);
        restoreJournalTo(1);

        assertThat(pool.run("renew", "--newest")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains("Wanted an image newer than that of transaction 200", "hdfs dfsadmin -saveNamespace");
        assertThat(pool.run("renew", "--newest", "--or-own")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void renewFailsWithoutSideEffectsWhenNoImageIsUsable() throws IOException {
        createLocalImage(100);
        hold(120, "too old as well", 1, 2, 3);
        restoreJournalTo(150);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors)
                .contains(
                        "newest image of this NameNode is of transaction 100, the journal goes back to transaction 150")
                .contains("the pool has images of transactions 120")
                .contains("-bootstrapStandby");
        assertThat(image(directory, 120)).doesNotExist();
        assertThat(pool.pinService.orders).isEmpty();
    }

    @Test
    void startsFromOwnImageWhenPoolIsUnreachable() throws IOException {
        createLocalImage(100);
        pool.all().forEach(node -> node.silence = "connection refused");

        assertThat(pool.run("renew")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINE);

        assertThat(pool.errors).contains("connection refused", "Starts from its own image, of transaction 100");
    }

    @Test
    void unresponsiveJournalIsNotMistakenForEmpty() throws IOException {
        createLocalImage(100);
        pool.all().forEach(node -> node.insteadOfSegments = Optional.of(FailedReply.of(node.id, "its disk hangs")));

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("No node says which transactions it keeps; asked: [host1:8487");
        assertThat(pool.pinService.orders).isEmpty();
        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void startsFromOwnImageWhenLoginFails() throws IOException {
        createLocalImage(100);
        pool.loginFailure = Optional.of("its keytab is bad");

        assertThat(pool.run("renew")).isNotEqualTo(ExitCode.FINE);
        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINE);

        assertThat(pool.errors).contains("its keytab is bad", "Starts from its own image, of transaction 100");
    }

    @Test
    void refusesStartWithoutImageWhenPoolIsUnreachable() {
        pool.nameDirectories.add(directory);
        pool.all().forEach(node -> node.silence = "connection refused");

        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }

    /** {@code prepare-namenode} has HDFS format them next, which refuses a directory that has any file. */
    @Test
    void renewLeavesDirectoriesEmptyWhenItFails() throws IOException {
        pool.nameDirectories.add(directory);
        Path second = Files.createDirectory(directory.resolveSibling(directory.getFileName() + "-second"));
        pool.nameDirectories.add(second);
        HeldImage image = hold(200, "newer", 1, 2, 3);
        pool.all().forEach(node -> node.images.put(image, Bytes.wrap("worse".getBytes(StandardCharsets.UTF_8))));
        restoreJournalTo(1);

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINDING);
        assertThat(partialFilesIn(directory)).as("kept for the next try").hasSize(1);
        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.errors).contains("its parts do not match their checksums");
        for (Path each : pool.nameDirectories) {
            assertThat(new Storage.StorageDirectory(each.toFile()).hasSomeData())
                    .as("data in %s", each)
                    .isFalse();
        }
        Files.delete(second);
    }

    private static List<Path> partialFilesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().contains(".fetching-")).toList();
        }
    }

    @Test
    void renewRejectsImageWithPossiblyVoidTransactions() throws IOException {
        pool.nameDirectories.add(directory);
        hold(120, "of both lines", 1);
        hold(200, "void, of a node that was away", 3);
        Barriers barriers =
                Barriers.of(List.of(Barrier.of("nightly", 150, 100, "").afterRestore(210, "")));
        pool.all().forEach(node -> node.base = node.base.with(barriers));
        restoreJournalTo(121);
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(image(directory, 120)).exists();
        assertThat(image(directory, 200)).doesNotExist();

        restoreJournalTo(130);
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("transactions 151 to 210 became void in the restore to nightly")
                .contains("-bootstrapStandby");
        assertThat(image(directory, 200)).doesNotExist();
    }

    /** Its own pool node is down whenever it renews itself. */
    @Test
    void renewDoesNotAwaitDownNodeWhenMajorityAnswers() {
        pool.nameDirectories.add(directory);
        hold(200, "image", 1, 2);
        pool.node(3).silence = "connection refused";

        assertThat(pool.run("renew", "--timeout", "120")).isEqualTo(ExitCode.FINE);
        assertThat(pool.waitedFor).isEmpty();

        pool.node(2).silence = "connection refused";
        assertThat(pool.run("renew", "--newest")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.waitedFor).hasSize(2);
    }

    @Test
    void renewRefusesImageWithoutMajority() {
        pool.nameDirectories.add(directory);
        hold(200, "void, of a node that was away", 3);
        pool.node(1).silence = "connection refused";
        pool.node(2).silence = "connection refused";
        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("only 1 of the journal's nodes answer, a majority is 2", "-bootstrapStandby");
        assertThat(image(directory, 200)).doesNotExist();
    }

    @Test
    void renewPinsNothingForRunningNameNode() throws IOException {
        createLocalImage(100);
        restoreJournalTo(101);
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        }
        assertThat(pool.output).contains("Not pinned: " + directory + " is in use");
        assertThat(pool.pinService.orders).isEmpty();
        assertThat(directory.resolve("in_use.lock")).exists();

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);
        assertThat(pool.pinService.orders).containsExactly("renew nn2 behind 100");
    }

    @Test
    void renewProceedsWhenPinningFails() {
        hold(200, "newer", 1);
        pool.nameDirectories.add(directory);
        pool.pinService.refusal = Optional.of("no active");

        assertThat(pool.run("renew")).isEqualTo(ExitCode.FINE);

        assertThat(image(directory, 200)).exists();
        assertThat(pool.output).contains("Not pinned: no active");
    }

    private void createLocalImage(long txId) throws IOException {
        pool.nameDirectories.add(directory);
        Files.createDirectories(directory.resolve("current"));
        Files.writeString(directory.resolve("current/VERSION"), VERSION);
        Files.writeString(image(directory, txId), "own");
        Files.writeString(
                Path.of(image(directory, txId) + ".md5"),
                md5("own".getBytes(StandardCharsets.UTF_8)) + " *"
                        + image(directory, txId).getFileName() + "\n");
    }

    private void restoreJournalTo(long txId) {
        TxRange range = TxRange.of(txId, 300);
        pool.node(2).segments = List.of(SegmentInfo.of(range, true, -67, range, 1));
    }

    @Test
    void renewRefusesRootWhenDirectoryBelongsToAnotherUser() throws IOException {
        // Only root can give a directory to another user, and only root is refused.
        assumeTrue(System.getProperty("user.name").equals("root"));
        createLocalImage(100);
        Files.setOwner(
                directory,
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThat(pool.run("renew")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("belongs to nobody", "sudo -u nobody hdfs trefoil renew");
        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void renewIsNoOpWhenNameNodeHasNoPool() {
        pool.poolConfigured = false;

        assertThat(pool.run("renew", "--or-own")).isEqualTo(ExitCode.FINE);
        assertThat(pool.errors).isEqualTo("This NameNode has no ssp:// journal: nothing to do\n");
    }
}
