/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.BlockRef;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchedLinksTest {
    private static final InetSocketAddress ONE = InetSocketAddress.createUnresolved("one", 9867);
    private static final InetSocketAddress OTHER = InetSocketAddress.createUnresolved("other", 9867);

    private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LinkBatcher links = new LinkBatcher(this::order);

    /** The first order takes until it may end; one with block 13 fails. */
    private List<LinkOutcome> order(InetSocketAddress dataNode, LinkOrder order) throws IOException {
        sizes.add(order.links().size());
        if (dataNode.equals(ONE) && sizes.size() == 1) {
            try {
                firstMayEnd.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (order.links().stream().anyMatch(link -> link.from().id() == 13)) {
            throw new IOException("a disk failed");
        }
        return order.links().stream()
                .map(link -> LinkOutcome.of(
                        link.to(), Verdict.LINKED, "sum of " + link.from().id()))
                .toList();
    }

    private CompletableFuture<LinkOutcome> begin(InetSocketAddress dataNode, long id) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return link(dataNode, id);
                    } catch (IOException e) {
                        throw new IllegalStateException(e.getMessage(), e);
                    }
                },
                threads);
    }

    private LinkOutcome link(InetSocketAddress dataNode, long id) throws IOException {
        return links.link(dataNode, "from", "to", link(id));
    }

    private static BlockLink link(long id) {
        return BlockLink.of(BlockRef.parse("blk_" + id + "_1"), 1, BlockRef.parse("blk_" + (1_000 + id) + "_2"));
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private List<CompletableFuture<LinkOutcome>> beginDuringFirstOrder(int from, int count) {
        begin(ONE, from);
        await().until(() -> sizes.size() == 1);
        List<CompletableFuture<LinkOutcome>> others = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            others.add(begin(ONE, from + i));
        }
        await().until(() -> links.pendingLinks() == count);
        return others;
    }

    @Test
    void linksRequestedDuringOrderShareNextOrder() {
        List<CompletableFuture<LinkOutcome>> others = beginDuringFirstOrder(100, 5);

        firstMayEnd.countDown();

        for (int i = 0; i < 5; i++) {
            assertThat(others.get(i).join().text()).isEqualTo("sum of " + (101 + i));
        }
        assertThat(sizes).containsExactly(1, 5);
    }

    @Test
    void limitsOrderSize() {
        List<CompletableFuture<LinkOutcome>> others = beginDuringFirstOrder(100, LinkBatcher.MAX_BATCH_BLOCKS + 1);

        firstMayEnd.countDown();

        others.forEach(CompletableFuture::join);
        assertThat(sizes).containsExactly(1, LinkBatcher.MAX_BATCH_BLOCKS, 1);
    }

    @Test
    void dataNodeIsOrderedWithoutWaitingForOthers() throws Exception {
        beginDuringFirstOrder(100, 1);

        assertThat(link(OTHER, 7).text()).isEqualTo("sum of 7");
        firstMayEnd.countDown();
    }

    @Test
    void failureAffectsOnlyLinksOfSameOrder() throws Exception {
        List<CompletableFuture<LinkOutcome>> others = beginDuringFirstOrder(11, 2);

        firstMayEnd.countDown();

        for (CompletableFuture<LinkOutcome> one : others) {
            assertThatThrownBy(one::join).hasMessageContaining("a disk failed");
        }
        assertThat(link(ONE, 14).text()).isEqualTo("sum of 14");
    }

    /** As one whose disks hang, or that the kernel does not schedule, while its heartbeats go on. */
    @Test
    void failsWhenDataNodeStaysUnresponsive() throws IOException {
        AtomicLong nanos = new AtomicLong();
        AtomicBoolean isSilent = new AtomicBoolean(true);
        LinkBatcher slow = new LinkBatcher(
                (dataNode, order) -> {
                    if (isSilent.get() && dataNode.equals(ONE)) {
                        nanos.addAndGet(LinkBatcher.MAX_SILENCE.toNanos() / 3 + 1);
                        throw new SocketTimeoutException("60000 millis timeout");
                    }
                    return order(dataNode, order);
                },
                nanos::get);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> slow.link(ONE, "from", "to", link(7)))
                    .isNotInstanceOf(SilentDataNodeException.class)
                    .hasMessageContaining("millis timeout");
        }
        isSilent.set(false);
        assertThat(slow.link(OTHER, "from", "to", link(7)).text()).isEqualTo("sum of 7");
        firstMayEnd.countDown();
        assertThat(slow.link(ONE, "from", "to", link(7)).text()).isEqualTo("sum of 7");
        isSilent.set(true);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> slow.link(ONE, "from", "to", link(7)))
                    .as("silent anew")
                    .isNotInstanceOf(SilentDataNodeException.class);
            // Nothing is ordered for long, as where a round reads millions of names: that is no silence.
            nanos.addAndGet(LinkBatcher.MAX_SILENCE.toNanos());
        }
        assertThatThrownBy(() -> slow.link(ONE, "from", "to", link(7)))
                .isInstanceOf(SilentDataNodeException.class)
                .hasMessageContaining("has answered no order to link blocks for 15 minutes");
    }
}
