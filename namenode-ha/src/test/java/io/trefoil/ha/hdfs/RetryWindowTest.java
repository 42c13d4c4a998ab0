/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.FakeSspJournalManager;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A stock NameNode starts from an image that is newer than what clients send again. */
class RetryWindowTest {
    private static final String HOLDER = "DFSClient_retry";
    private static final FsPermission PERMISSION = FsPermission.getDirDefault();

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private NameNode nameNode;
    private ClientProtocol client;
    private final List<ClientProtocol> clients = new ArrayList<>();

    /** A call whose answer is compared as text. */
    private interface Call {
        Object invoke(ClientProtocol nameNode) throws IOException;
    }

    @BeforeEach
    void format(TestInfo test) throws IOException {
        nameNodes = new TestNameNodes(
                directory, "window-" + test.getTestMethod().get().getName());
        nameNodes.format("nn1");
        start();
        TestNameNodes.makeActive(nameNode);
    }

    @AfterEach
    void close() {
        nameNodes.close();
        clients.forEach(RPC::stopProxy);
    }

    private void start() throws IOException {
        nameNode = nameNodes.start("nn1");
        client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(),
                nameNodes.conf("nn1"),
                UserGroupInformation.getCurrentUser(),
                false,
                null);
        clients.add(client);
        // A connection to the one before it on this port may have to be found dead first.
        await().ignoreExceptions().until(() -> client.getHAServiceState() != HAServiceState.INITIALIZING);
    }

    private void startFromNewImage() throws IOException {
        nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
        nameNode.getRpcServer().saveNamespace(0, 0);
        nameNodes.stop(nameNode);
        start();
    }

    private void restoreWindow(int transactions) throws IOException {
        window(transactions, 100_000, Duration.ofMinutes(10)).restoreNewest();
    }

    private RetryWindow window(int transactions, int part, Duration retention) {
        return new RetryWindow(nameNode, transactions, part, retention, this::journal);
    }

    private JournalManager journal() throws IOException {
        return new FakeSspJournalManager(
                nameNode.getConf(),
                URI.create(nameNode.getConf().get("dfs.namenode.shared.edits.dir")),
                nameNode.getFSImage().getStorage().getNamespaceInfo(),
                "");
    }

    private String send(int id, Call call) throws IOException {
        Client.setCallIdAndRetryCountUnprotected(id, 0, null);
        return String.valueOf(call.invoke(client));
    }

    private HdfsFileStatus create(ClientProtocol to, String path, CreateFlag... flags) throws IOException {
        EnumSet<CreateFlag> all = EnumSet.of(CreateFlag.CREATE);
        all.addAll(List.of(flags));
        return to.create(
                path,
                PERMISSION,
                HOLDER,
                new EnumSetWritable<>(all, CreateFlag.class),
                true,
                (short) 1,
                1 << 20,
                new CryptoProtocolVersion[0],
                null,
                null);
    }

    private void createClosed(String path) throws IOException {
        client.complete(path, HOLDER, null, create(client, path).getFileId());
    }

    private static String describe(HdfsFileStatus status) {
        return status.getFileId() + status.getLocalName() + status.getPermission() + status.getOwner();
    }

    @Test
    void answersRetriesOfCallsExecutedBeforeImage() throws IOException {
        for (String path : List.of("/delete", "/rename", "/rename2", "/append", "/over")) {
            createClosed(path);
        }
        client.mkdirs("/snapshots", PERMISSION, true);
        client.allowSnapshot("/snapshots");
        client.addCachePool(new CachePoolInfo("pool"));
        List<Call> calls = List.of(
                to -> to.delete("/delete", true),
                to -> to.rename("/rename", "/renamed"),
                to -> {
                    to.rename2("/rename2", "/renamed2", Options.Rename.NONE);
                    return "done";
                },
                to -> describe(create(to, "/new")),
                to -> describe(create(to, "/over", CreateFlag.OVERWRITE)),
                to -> {
                    LastBlockWithStatus last = to.append(
                            "/append", HOLDER, new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND), CreateFlag.class));
                    return last.getLastBlock() + describe(last.getFileStatus());
                },
                to -> to.createSnapshot("/snapshots", "s"),
                to -> to.addCacheDirective(
                        new CacheDirectiveInfo.Builder()
                                .setPath(new org.apache.hadoop.fs.Path("/over"))
                                .setPool("pool")
                                .build(),
                        EnumSet.noneOf(CacheFlag.class)),
                to -> to.addErasureCodingPolicies(new ErasureCodingPolicy[] {
                            new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 8192),
                            new ErasureCodingPolicy(new ECSchema("rs", 6, 3), 8192)
                        })
                        .length);
        List<Integer> ids = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (Call call : calls) {
            int id = Client.nextCallId();
            ids.add(id);
            answers.add(send(id, call));
        }

        startFromNewImage();
        restoreWindow(100_000);
        TestNameNodes.makeActive(nameNode);
        long before = nameNode.getFSImage().getEditLog().getLastWrittenTxId();

        for (int i = 0; i < calls.size(); i++) {
            assertThat(send(ids.get(i), calls.get(i))).as("call %d", i).isEqualTo(answers.get(i));
        }
        assertThat(nameNode.getFSImage().getEditLog().getLastWrittenTxId())
                .as("nothing is executed again")
                .isEqualTo(before);
    }

    /** HDFS as it is: what the window is there against. */
    @Test
    void reexecutesRetriesWhenWindowIsDisabled() throws IOException {
        createClosed("/delete");
        createClosed("/rename2");
        int delete = Client.nextCallId();
        assertThat(send(delete, to -> to.delete("/delete", true))).isEqualTo("true");
        int rename = Client.nextCallId();
        Call renaming = to -> {
            to.rename2("/rename2", "/renamed2", Options.Rename.NONE);
            return "done";
        };
        send(rename, renaming);

        startFromNewImage();
        restoreWindow(0);
        TestNameNodes.makeActive(nameNode);

        assertThat(send(delete, to -> to.delete("/delete", true))).isEqualTo("false");
        assertThatThrownBy(() -> send(rename, renaming)).isInstanceOf(RemoteException.class);
    }

    @Test
    void answersCreateRetryAlthoughFileWasDeletedSince() throws IOException {
        int id = Client.nextCallId();
        String answer = send(id, to -> describe(create(to, "/gone")));
        client.delete("/gone", true);

        startFromNewImage();
        restoreWindow(100_000);
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, to -> describe(create(to, "/gone")))).isEqualTo(answer);
        assertThat(client.getFileInfo("/gone")).isNull();
    }

    @Test
    void skipsOnlyEditsWithoutReconstructibleAnswer() throws IOException {
        createClosed("/delete");
        createClosed("/folder/append");
        client.append("/folder/append", HOLDER, new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND), CreateFlag.class));
        // HDFS can no longer find the file: what was the directory is a file.
        client.delete("/folder", true);
        createClosed("/folder");
        int id = Client.nextCallId();
        send(id, to -> to.delete("/delete", true));

        startFromNewImage();
        restoreWindow(100_000);
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, to -> to.delete("/delete", true))).isEqualTo("true");
    }

    @Test
    void windowCoversRetryCacheExpiryTime() throws IOException {
        int id = deleteThenRunManyOthers();
        RetryWindow window = window(100_000, 3, Duration.ofMinutes(10));

        window.restoreNewest();
        assertThat(nameNode.getNamesystem().getRetryCache().getCacheSet().size())
                .as("what a takeover waits for")
                .isLessThanOrEqualTo(3);
        window.restoreAll();
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, to -> to.delete("/delete", true))).isEqualTo("true");
    }

    /** As that of a NameNode which was started seconds ago. */
    @Test
    void takeoverWaitsOnlyForNewestPartDuringBackgroundRestore() throws Exception {
        deleteThenRunManyOthers();
        AtomicInteger opened = new AtomicInteger();
        CountDownLatch newestMayBeRead = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        RetryWindow window = new RetryWindow(nameNode, 100_000, 3, Duration.ofMinutes(10), () -> {
            awaitUninterrupted(opened.incrementAndGet() == 1 ? newestMayBeRead : never);
            return journal();
        });
        window.start();
        await().until(() -> opened.get() == 1);
        assertThat(window.isRestoringNewest()).isTrue();
        CompletableFuture<Void> restored = new CompletableFuture<>();
        Thread takeover = new Thread(() -> {
            try {
                window.restoreNewest();
                restored.complete(null);
            } catch (IOException e) {
                restored.completeExceptionally(e);
            }
        });
        takeover.start();
        await().until(() -> takeover.getState() == Thread.State.WAITING);

        newestMayBeRead.countDown();

        assertThat(restored).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(window.isRestoringNewest()).isFalse();
        window.stop();
    }

    private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Test
    void windowExcludesEditsOlderThanRetryCacheExpiry() throws IOException {
        int id = deleteThenRunManyOthers();
        window(100_000, 3, Duration.ZERO).restoreAll();
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, to -> to.delete("/delete", true))).isEqualTo("false");
    }

    private int deleteThenRunManyOthers() throws IOException {
        createClosed("/delete");
        int id = Client.nextCallId();
        send(id, to -> to.delete("/delete", true));
        for (int i = 0; i < 20; i++) {
            client.mkdirs("/later" + i, PERMISSION, true);
        }
        startFromNewImage();
        return id;
    }

    @Test
    void callWithMultipleEditsRemainsOneCallAcrossWindowParts() throws IOException {
        int id = Client.nextCallId();
        Call adding = to -> to.addErasureCodingPolicies(new ErasureCodingPolicy[] {
                    new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 8192),
                    new ErasureCodingPolicy(new ECSchema("rs", 6, 3), 8192)
                })
                .length;
        String answer = send(id, adding);

        startFromNewImage();
        window(100_000, 1, Duration.ofMinutes(10)).restoreAll();
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, adding)).isEqualTo(answer).isEqualTo("2");
    }

    @Test
    void windowIsLimitedToConfiguredTransactions() throws IOException {
        createClosed("/delete");
        int id = Client.nextCallId();
        send(id, to -> to.delete("/delete", true));
        for (int i = 0; i < 20; i++) {
            client.mkdirs("/later" + i, PERMISSION, true);
        }

        startFromNewImage();
        restoreWindow(10);
        TestNameNodes.makeActive(nameNode);

        assertThat(send(id, to -> to.delete("/delete", true))).isEqualTo("false");
    }
}
