/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.move.TreeNode;
import io.trefoil.federation.move.TreeNodeAttributes;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class LinkedFileTest {
    private static final int BLOCKS = 7;
    private static final TreeNodeAttributes TRAITS = TreeNodeAttributes.builder()
            .owner("alice")
            .group("staff")
            .permission(0644)
            .modificationTime(1)
            .replication(1)
            .blockSize(1 << 20)
            .build();

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> calls = new ArrayList<>();

    /** NameNodes forget a writer that says nothing for twenty minutes, and close its file. */
    @Test
    void renewsLeasesWhileLinkingFileOfManyBlocks() throws Exception {
        LocatedBlocks blocks = blocks("from", BLOCKS);
        ClientProtocol from = (ClientProtocol) proxy((method, arguments) ->
                new HdfsFileStatus.Builder().fileId(7).locations(blocks).build());
        AtomicLong added = new AtomicLong(100);
        ClientProtocol to = (ClientProtocol) proxy((method, arguments) -> switch (method) {
            case "create" -> new HdfsFileStatus.Builder().fileId(8).build();
            case "addBlock" -> block("to", added.incrementAndGet());
            case "complete" -> true;
            case "renewLease" -> {
                calls.add("renew " + arguments[0]);
                yield null;
            }
            default -> throw new AssertionError(method);
        });
        LinkBatcher slow = new LinkBatcher((dataNode, order) -> {
            calls.add("link");
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
            return List.of(LinkOutcome.of(order.links().get(0).to(), Verdict.LINKED, "sum"));
        });

        LinkedFile file = new LinkedFile(from, to, slow, "mover", nanos::get);
        assertThat(file.createFile("number", TreeNode.newFile(7, HdfsTree.contentText(blocks), TRAITS), "path"))
                .isTrue();

        assertThat(calls)
                .containsExactly(
                        "link",
                        "link",
                        "renew mover",
                        "link",
                        "link",
                        "renew mover",
                        "link",
                        "link",
                        "renew mover",
                        "link");
    }

    @Test
    void creationFailsWithFirstCauseWhenDeletionAlsoFails() {
        LocatedBlocks blocks = blocks("from", 1);
        ClientProtocol from = (ClientProtocol) proxy((method, arguments) ->
                new HdfsFileStatus.Builder().fileId(7).locations(blocks).build());
        ClientProtocol to = (ClientProtocol) proxy((method, arguments) -> switch (method) {
            case "create" -> new HdfsFileStatus.Builder().fileId(8).build();
            case "addBlock" -> block("to", 101);
            case "delete" -> throw new IllegalStateException("not deleted");
            default -> throw new AssertionError(method);
        });
        LinkBatcher silent = new LinkBatcher(
                (dataNode, order) -> {
                    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
                    throw new SocketTimeoutException("silent");
                },
                nanos::get);

        LinkedFile file = new LinkedFile(from, to, silent, "mover", nanos::get);
        assertThatThrownBy(() ->
                        file.createFile("number", TreeNode.newFile(7, HdfsTree.contentText(blocks), TRAITS), "path"))
                .isInstanceOf(SilentDataNodeException.class)
                .hasSuppressedException(new IllegalStateException("not deleted"));
    }

    private interface Answer {
        Object answer(String method, Object[] arguments);
    }

    private static Object proxy(Answer answer) {
        return Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (self, method, arguments) -> answer.answer(method.getName(), arguments));
    }

    private static LocatedBlocks blocks(String pool, int count) {
        List<LocatedBlock> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            all.add(block(pool, i));
        }
        return new LocatedBlocks(count, false, all, all.get(count - 1), true, null, null);
    }

    private static LocatedBlock block(String pool, long id) {
        DatanodeInfo dataNode = new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("127.0.0.1", "localhost", "uuid", 9866, 9864, 0, 9867))
                .build();
        return new LocatedBlock(
                new ExtendedBlock(pool, id, 1, 1),
                new DatanodeInfoWithStorage[] {new DatanodeInfoWithStorage(dataNode, "storage", StorageType.DISK)});
    }
}
