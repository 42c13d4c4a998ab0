/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CandidateTest {
    @TempDir
    Path directory;

    @AfterEach
    void forgetBookKeeper() {
        System.clearProperty("trefoil.bookkeeper.classpath");
    }

    @Test
    void writerWithReplicaHasDedicatedHostLikeOthers() throws IOException {
        assertThat(planCandidate(Candidate.SSP).hosts())
                .containsEntry("ssp-writer", "ssp-host1")
                .containsEntry("ssp-node1", "ssp-host2")
                .containsEntry("ssp-node2", "ssp-host3")
                .hasSize(3);
    }

    @Test
    void writerWithoutReplicaSharesFirstHost() throws IOException {
        assertThat(planCandidate(Candidate.QJM).hosts())
                .containsEntry("qjm-writer", "qjm-host1")
                .containsEntry("qjm-node1", "qjm-host1")
                .containsEntry("qjm-node2", "qjm-host2")
                .containsEntry("qjm-node3", "qjm-host3")
                .hasSize(4);
    }

    @Test
    void bookKeeperZooKeeperAvoidsMeasuredHosts() throws IOException {
        System.setProperty("trefoil.bookkeeper.classpath", "bookkeeper.jar");

        assertThat(planCandidate("bookkeeper").hosts())
                .containsEntry("bookkeeper-writer", "bookkeeper-host1")
                .containsEntry("bookkeeper-bookie1", "bookkeeper-host1")
                .containsEntry("bookkeeper-bookie3", "bookkeeper-host3")
                .doesNotContainKey("bookkeeper-zookeeper");
    }

    @Test
    void tunedBookieAvoidsUnneededThreads() throws IOException {
        System.setProperty("trefoil.bookkeeper.classpath", "bookkeeper.jar");
        Candidate tuned = planCandidate(Candidate.BOOKKEEPER_TUNED);

        // BookKeeper orders the entries of a ledger, so one ledger keeps one thread busy, however many there are; and
        // what nothing
        // reads says only that no test looked.
        assertThat(tuned.nodes().get(1).jvm().arguments())
                .contains("numAddWorkerThreads=0", "journalFlushWhenQueueEmpty=true")
                .noneMatch(line -> line.startsWith("numJournalCallbackThreads"));
        assertThat(tuned.writer().arguments()).contains("useV2WireProtocol=true", "delayEnsembleChange=true");
    }

    @Test
    void journalInBookKeeperHasTunedBookiesAndHdfsWriter() throws IOException {
        System.setProperty("trefoil.bookkeeper.classpath", "bookkeeper.jar");
        Candidate journal = planCandidate(Candidate.BK);

        assertThat(journal.nodes().get(1).jvm().arguments()).contains("numAddWorkerThreads=0");
        assertThat(journal.writer().arguments()).contains("hdfs").anyMatch(one -> one.startsWith("bk://127.0.0.1:"));
        assertThat(journal.hosts()).containsEntry("bk-writer", "bk-host1").containsEntry("bk-bookie3", "bk-host3");
    }

    @Test
    void bookKeeperReaderHasWriterSettings() throws IOException {
        System.setProperty("trefoil.bookkeeper.classpath", "bookkeeper.jar");
        ReadSpec plan = readPlan(Candidate.BOOKKEEPER_TUNED);

        assertThat(plan.readers().get(ReadSpec.FAR).arguments()).contains("useV2WireProtocol=true");
    }

    @Test
    void sspReaderReplacesNodeOrHasOwnHost() throws IOException {
        ReadSpec plan = readPlan(Candidate.SSP);

        assertThat(plan.journal().nodes()).extracting(node -> node.jvm().name()).containsExactly("ssp-node2");
        assertThat(hostOfReader(plan, ReadSpec.NEAR)).isEqualTo("ssp-host2");
        assertThat(plan.readers().get(ReadSpec.NEAR).properties()).containsKey("trefoil.journal.address");
        assertThat(hostOfReader(plan, ReadSpec.FAR)).isEqualTo("ssp-host4");
        assertThat(plan.readers().get(ReadSpec.FAR).properties()).containsEntry("trefoil.journal.embedded", "false");
    }

    @Test
    void qjmReaderSharesJournalNodeHostOrHasDedicatedHost() throws IOException {
        ReadSpec plan = readPlan(Candidate.QJM);

        assertThat(plan.journal().nodes()).hasSize(3);
        assertThat(hostOfReader(plan, ReadSpec.NEAR)).isEqualTo("qjm-host2");
        assertThat(hostOfReader(plan, ReadSpec.FAR)).isEqualTo("qjm-host4");
    }

    private static String hostOfReader(ReadSpec plan, String path) {
        return plan.journal().hosts().get(plan.readers().get(path).name());
    }

    private ReadSpec readPlan(String name) throws IOException {
        try (Security none = Security.start(PoolProtection.NONE, directory.resolve("keys"))) {
            return ReadSpec.byName(name, directory, none);
        }
    }

    private Candidate planCandidate(String name) throws IOException {
        try (Security none = Security.start(PoolProtection.NONE, directory.resolve("keys"))) {
            return Candidate.byName(name, directory, none);
        }
    }
}
