/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with data moves from QJM to the pool and back, following {@code docs/operating/migrate.md}. */
@Tag("long")
class MigrationIT {
    /** Generous: a slow machine that runs many tests at once must not make a test fail. */
    private static final Duration LIMIT = Duration.ofMinutes(3);
    /** While the NameNodes are in safe mode, each is refused at once. */
    private static final int CHANGES_PER_SECOND = 100;

    @TempDir
    private Path directory;

    @Test
    void migratesToPoolAndBackAsDocumented() throws Exception {
        JournalKind qjm = JournalKind.qjm();
        HaCluster.builder("migration").nameNodes(3).journal(qjm).run(cluster -> migrateThereAndBack(cluster, qjm));
    }

    /**
     * Takes longer, as every process and command logs in; {@code KerberosIT} shows that pool nodes, NameNodes and
     * commands do.
     */
    @Test
    void migratesToPoolAndBackWithKerberos() throws Exception {
        JournalKind qjm = JournalKind.qjm();
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            HaClusterBuilder builder = setUp.kerberos(
                    HaCluster.builder("migration-kerberos").nameNodes(3).journal(qjm), "operator");
            setUp.journalNodes(builder, OperatorsPage.read("migrate.md"), "With Kerberos");
            builder.run(cluster -> migrateThereAndBack(cluster, qjm));
        }
    }

    /** A NameNode that fails over by itself hands its role over when it is stopped, and clients write at the next one. */
    @Test
    void migrationOutLeavesNothingBehindWithAutomaticFailoverEnabled() throws Exception {
        JournalKind qjm = JournalKind.qjm();
        JournalKind ssp = JournalKind.ssp().journalOnly();
        HaCluster.builder("migration-agents")
                .nameNodes(3)
                .journal(ssp)
                .withAutomaticFailover()
                .run(cluster -> {
                    cluster.failOverTo(cluster.nameNode(1));
                    // JournalNodes that kept the journal once, and a new file without automatic failover.
                    cluster.changeJournalForRestarts(qjm);
                    cluster.changeJournalForRestarts(ssp);
                    for (String server : qjm.serverNames()) {
                        Files.createDirectories(cluster.layout()
                                .journalDirectory(server)
                                .resolve(cluster.layout().nameservice()));
                    }
                    cluster.setProperty("dfs.ha.automatic-failover.enabled", "false");
                    cluster.setProperty("dfs.namenode.plugins", "");
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem)
                            .under("/moved")
                            .threads(4)
                            .perSecond(CHANGES_PER_SECOND)
                            .start()) {
                        load.awaitMore(200, LIMIT);
                        new Operator(cluster, ssp, Map.of("ssp", ssp, "qjm", qjm))
                                .runAll(OperatorsPage.read("migrate.md").section("Out: ssp to QJM"));
                        load.awaitMore(200, LIMIT);
                        new Verifier(fileSystem)
                                .verify(load.root(), load.stop(LIMIT))
                                .expectClean();
                    }
                });
    }

    private static void migrateThereAndBack(HaCluster cluster, JournalKind qjm) throws Exception {
        OperatorsPage page = OperatorsPage.read("migrate.md");
        // Without local edits, so that the migration back has only the journal.
        Map<String, JournalKind> journals = Map.of("ssp", JournalKind.ssp().journalOnly(), "qjm", qjm);
        Operator operator = new Operator(cluster, qjm, journals);

        write(cluster, "/on-qjm");
        NamespaceDigest onQjm = NamespaceDigest.of(cluster.nameNode(1));
        write(cluster, "/on-qjm-behind-the-image");
        migrate(cluster, operator, page, "In: QJM to ssp", onQjm);

        write(cluster, "/on-ssp");
        NamespaceDigest onSsp = NamespaceDigest.of(cluster.nameNode(1));
        write(cluster, "/on-ssp-behind-the-image");
        cluster.haadmin("-failover", "nn1", "nn2").expectSuccess();
        cluster.haadmin("-failover", "nn2", "nn1").expectSuccess();
        migrate(cluster, operator, page, "Out: ssp to QJM", onSsp);

        write(cluster, "/on-qjm-again");
        cluster.haadmin("-failover", "nn1", "nn2").expectSuccess();
        NamespaceDigest.ofAll(cluster, LIMIT);
    }

    private static void migrate(
            HaCluster cluster, Operator operator, OperatorsPage page, String section, NamespaceDigest older)
            throws Exception {
        cluster.awaitStandbysCaughtUp(LIMIT);
        // From a standby: the active's edits stay behind its image.
        NamespaceDigest before = NamespaceDigest.of(cluster.nameNode(2));
        assertThat(before.sha256()).isNotEqualTo(older.sha256());
        Duration down;
        try (WriteProbe probe = WriteProbe.start(cluster.newFileSystem())) {
            operator.runAll(page.section(section));
            down = probe.longestSilence();
        }
        System.out.printf("%s: no write for %.1f s%n", section, down.toMillis() / 1000.0);
        NamespaceDigest.ofAll(cluster, LIMIT).expectSameExceptMasterKeys(before);
    }

    private static void write(HaCluster cluster, String directory) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            load.awaitMore(200, LIMIT);
            new Verifier(fileSystem).verify(load.root(), load.stop(LIMIT)).expectClean();
        }
    }
}
