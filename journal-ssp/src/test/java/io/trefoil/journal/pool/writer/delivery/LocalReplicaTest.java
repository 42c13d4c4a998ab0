/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.writer.WriterTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LocalReplicaTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final WriterId WRITER = WriterId.of("writer");
    private static final PoolRequest FIRST = StatusRequest.create();
    private static final PoolRequest SECOND = StepDownRequest.of(Epoch.of(7));
    private static final PoolRequest THIRD = StepDownRequest.of(Epoch.of(8));

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private Runnable duringPerform = () -> {};
    private final List<Runnable> disk = new ArrayList<>();
    private boolean noThreads;
    private final LocalReplica replica =
            new LocalReplica(A, this::onDisk, this::perform, this::onReplies, System::nanoTime, WriterTrace.NONE);

    private void onDisk(Runnable task) {
        if (noThreads) {
            throw new OutOfMemoryError("planted: unable to create native thread");
        }
        disk.add(task);
    }

    @Test
    void diskThreadPerformsPendingRequestsAsOneGroup() {
        add(FIRST);
        add(SECOND);
        replica.send();
        replica.send();

        assertThat(seen).isEmpty();
        runDisk();

        assertThat(seen).containsExactly("perform " + List.of(FIRST, SECOND), "2 answers");
        assertThat(replica.size()).isZero();
    }

    @Test
    void requestsArrivingDuringGroupFormNextOne() {
        add(FIRST);
        duringPerform = () -> {
            duringPerform = () -> {};
            add(SECOND);
            add(THIRD);
            replica.send();
        };
        replica.send();
        runDisk();

        assertThat(seen)
                .containsExactly(
                        "perform " + List.of(FIRST), "1 answers", "perform " + List.of(SECOND, THIRD), "2 answers");
    }

    @Test
    void busyWriterYieldsDiskToOthers() {
        duringPerform = () -> {
            if (seen.size() < 200) {
                add(SECOND);
            }
        };
        add(FIRST);
        replica.send();
        disk.add(() -> seen.add("somebody else"));
        while (!disk.isEmpty()) {
            runDisk();
        }

        assertThat(seen).hasSizeGreaterThan(200);
        assertThat(seen.indexOf("somebody else")).isLessThan(50);
    }

    @Test
    void failedReplicaReceivesNextGroup() {
        duringPerform = () -> {
            throw new IllegalStateException("planted");
        };
        add(FIRST);
        replica.send();
        assertThatIllegalStateException().isThrownBy(this::runDisk);

        duringPerform = () -> {};
        add(SECOND);
        replica.send();
        runDisk();

        assertThat(seen).containsExactly("perform " + List.of(FIRST), "perform " + List.of(SECOND), "1 answers");
    }

    @Test
    void retriesPendingRequestsOnceThreadIsAvailable() {
        noThreads = true;
        add(FIRST);
        assertThatThrownBy(replica::send).isInstanceOf(OutOfMemoryError.class);

        noThreads = false;
        add(SECOND);
        replica.send();
        runDisk();

        assertThat(seen).containsExactly("perform " + List.of(FIRST, SECOND), "2 answers");
    }

    /** A disk may hang for days. */
    @Test
    void repeatedQueriesOfUnansweredWriterDoNotAccumulate() {
        add(FIRST);
        for (int sn = 1; sn <= 1000; sn++) {
            add(statusQuery(sn));
        }
        for (int epoch = 2; epoch <= 1000; epoch++) {
            add(NewEpochRequest.of(Epoch.of(epoch), WRITER, 1000));
        }
        replica.send();
        runDisk();

        assertThat(seen)
                .containsExactly(
                        "perform "
                                + List.of(FIRST, statusQuery(1000), NewEpochRequest.of(Epoch.of(1000), WRITER, 1000)),
                        "3 answers");
    }

    /** That is how a writer asks one that it has dropped from the in-sync set: whether it is back, and for changes of the members. */
    @Test
    void mixedQueriesDoNotAccumulate() {
        CollectChangesRequest changes = CollectChangesRequest.of(Epoch.of(1), List.of());
        add(FIRST);
        for (int sn = 1; sn <= 1000; sn++) {
            add(statusQuery(sn));
            add(changes);
        }
        replica.send();
        runDisk();

        assertThat(seen).containsExactly("perform " + List.of(FIRST, statusQuery(1000), changes), "3 answers");
    }

    private static AppendRequest statusQuery(long sn) {
        return AppendRequest.of(
                Epoch.of(1), WRITER, 1000, LogPosition.of(Epoch.of(1), sn), List.of(), LogPosition.ORIGIN, sn);
    }

    private void runDisk() {
        List<Runnable> tasks = new ArrayList<>(disk);
        disk.clear();
        tasks.forEach(Runnable::run);
    }

    private void add(PoolRequest request) {
        replica.add(request);
    }

    /** A disk may take long: no thread that has a request for it waits meanwhile. */
    private void assertAcceptsRequests() {
        assertThat(CompletableFuture.supplyAsync(replica::size)).succeedsWithin(Duration.ofSeconds(10));
    }

    private List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
        assertAcceptsRequests();
        seen.add("perform " + requests);
        duringPerform.run();
        return Collections.nCopies(requests.size(), Optional.of(DoneReply.of(NodeId.of("n1"))));
    }

    private void onReplies(List<PoolRequest> requests, List<Optional<PoolReply>> replies, long sentNanos) {
        assertAcceptsRequests();
        assertThat(requests).hasSameSizeAs(replies);
        assertThat(sentNanos).isLessThanOrEqualTo(System.nanoTime());
        seen.add(replies.size() + " answers");
    }
}
