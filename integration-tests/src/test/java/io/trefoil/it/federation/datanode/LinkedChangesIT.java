/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Either nameservice changes linked files, even during the linking, and the other still reads what it read before. */
class LinkedChangesIT extends LinkedNameservices {
    private static final int RACES = 25;
    private static final int LINKED_RACES = 5;
    private static final int MAX_RACES = 500;

    /** A change that one nameservice makes to a file that the other has linked. */
    private interface Change {
        byte[] apply(DistributedFileSystem fs, byte[] bytes) throws IOException;
    }

    @Test
    void appendThroughEitherPoolLeavesOtherUnchanged() throws IOException {
        changeThroughEitherPool((changed, bytes) -> {
            byte[] more = randomBytes(70_003);
            try (OutputStream out = changed.append(new Path(file))) {
                out.write(more);
            }
            byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
            System.arraycopy(more, 0, all, bytes.length, more.length);
            return all;
        });
    }

    @Test
    void truncateThroughEitherPoolLeavesOtherUnchanged() throws IOException {
        changeThroughEitherPool((changed, bytes) -> {
            int kept = 2 * BLOCK + 1_001;
            changed.truncate(new Path(file), kept);
            Await.until(
                    "the truncation is over",
                    Await.TIMEOUT,
                    () -> changed.isFileClosed(new Path(file)),
                    sales::describe);
            return Arrays.copyOf(bytes, kept);
        });
    }

    private void changeThroughEitherPool(Change change) throws IOException {
        for (DistributedFileSystem fs : List.of(salesFiles, stockFiles)) {
            DistributedFileSystem other = fs == salesFiles ? stockFiles : salesFiles;
            file = file + "-" + fs.getUri().getHost();
            byte[] bytes = write(salesFiles, file, LENGTH);
            copy.copy(file);

            byte[] after = change.apply(fs, bytes);

            assertReplicas(fs, after);
            assertReplicas(other, bytes);
            assertThat(read(fs, file)).isEqualTo(after);
            assertThat(read(other, file)).isEqualTo(bytes);
            // A DataNode that changes a replica has copied it first.
            assertThat(raw.blockFiles(lastBlock(other).getBlock()))
                    .allSatisfy(replica ->
                            assertThat(RawReplicas.linkCount(replica)).isEqualTo(1));
        }
    }

    /**
     * Link orders come at any time between the opening for an append and its close: what is linked has the bytes of its
     * stamp, for ever.
     */
    @Test
    void linksRacingWithAppendsMatchTheirGenerationStamp() throws Exception {
        write(salesFiles, file, 5_003);
        AtomicBoolean hasEnded = new AtomicBoolean();
        CompletableFuture<Void> appends = CompletableFuture.runAsync(() -> appendUntil(hasEnded));
        Map<String, Integer> linked = new LinkedHashMap<>();
        try {
            for (int requestCount = 0; requestCount < RACES || linked.size() < LINKED_RACES; requestCount++) {
                assertThat(requestCount)
                        .as("orders for %s links", linked.size())
                        .isLessThan(MAX_RACES);
                LinkedCopy.Draft draft = copy.create(file, file + "-" + requestCount);
                LocatedBlock block = lastBlock(salesFiles);
                if (isLinkedEverywhere(block, draft, draft.add(block))) {
                    draft.complete();
                    linked.put(file + "-" + requestCount, (int) block.getBlockSize());
                } else {
                    stockFiles.delete(new Path(file + "-" + requestCount), false);
                }
            }
        } finally {
            hasEnded.set(true);
        }
        appends.join();
        byte[] all = read(salesFiles, file);
        assertReplicas(salesFiles, all);
        for (Map.Entry<String, Integer> one : linked.entrySet()) {
            file = one.getKey();
            assertReplicas(stockFiles, Arrays.copyOf(all, one.getValue()));
            assertThat(read(stockFiles, file)).isEqualTo(Arrays.copyOf(all, one.getValue()));
        }
    }

    private void appendUntil(AtomicBoolean hasEnded) {
        String path = file;
        while (!hasEnded.get()) {
            try (OutputStream out = salesFiles.append(new Path(path))) {
                out.write(randomBytes(701));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            // The next append would leave out a replica that is not reported yet, and HDFS replaces that one after
            // hours only.
            awaitReported(salesFiles, path);
        }
    }

    private boolean isLinkedEverywhere(LocatedBlock block, LinkedCopy.Draft draft, BlockLink link) throws IOException {
        // While the block is open for an append, a replica may be missing. The target would wait minutes for the one it
        // expects there.
        boolean everywhere = block.getLocations().length == REPLICATION;
        for (DatanodeInfo dataNode : block.getLocations()) {
            LinkOutcome outcome = copy.link(dataNode, block, draft, link);
            assertThat(outcome.verdict()).as(outcome.toString()).isNotEqualTo(Verdict.FAILED);
            everywhere &= outcome.verdict() == Verdict.LINKED;
        }
        return everywhere;
    }
}
