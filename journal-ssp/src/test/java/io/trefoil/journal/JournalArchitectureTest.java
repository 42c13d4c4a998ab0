/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import io.trefoil.foundation.LayerRules;
import io.trefoil.foundation.PackageDependencies;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The layers of the journal: what decides touches nothing, and each foreign library has one place. */
class JournalArchitectureTest {
    private static final String ROOT = "io.trefoil.journal.";
    private static final String[] PURE = {
        "io.trefoil.journal.model..",
        "io.trefoil.journal.protocol..",
        "io.trefoil.journal.replica..",
        "io.trefoil.journal.writer..",
        "io.trefoil.journal.image.."
    };

    /** Which package may know which, from the values up to Hadoop; all may know {@code foundation}. */
    private static final String MAY_KNOW =
            """
            protocol: model
            codec: model
            image: model
            replica: model protocol
            writer.events: model protocol
            writer.peer: model protocol writer.events
            writer: model protocol writer.events writer.peer
            transport: model protocol
            transport.access: model protocol transport
            transport.authentication: model transport.access
            transport.codec.field: model codec
            transport.codec: model protocol transport transport.codec.field
            transport.trace: model protocol replica writer.events writer transport.codec.field transport.codec
            transport.connection: transport.authentication transport.codec.field transport.codec
            transport.tls: transport.access transport.codec.field transport.connection
            transport.client: model protocol transport transport.access transport.authentication transport.codec.field \
            transport.codec transport.connection transport.tls
            transport.server.session: protocol transport transport.codec.field transport.codec transport.connection
            transport.server: model protocol codec transport transport.access transport.authentication \
            transport.codec.field transport.codec transport.connection transport.server.session transport.tls
            storage: model
            storage.file: codec
            storage.log.frame: model codec storage.file
            storage.log: model codec storage.file storage.log.frame
            storage.device: model codec storage storage.file storage.log.frame storage.log
            storage.image: model codec
            pool.client: model protocol transport transport.authentication transport.client transport.tls
            pool.replica.storage: model protocol replica storage pool.disk
            pool.replica.reading: model protocol replica storage pool.disk pool.replica.storage
            pool.replica: model protocol replica storage pool.disk pool.replica.storage pool.replica.reading
            pool.writer.delivery: model protocol writer.events writer transport storage
            pool.writer.term: model protocol writer.events writer pool.writer.delivery
            pool.writer.events: model protocol writer.events writer transport storage pool.replica \
            pool.writer.delivery pool.writer.term
            pool.writer: model protocol writer.events writer transport pool.replica pool.writer.delivery \
            pool.writer.term pool.writer.events
            pool.image: model protocol image transport storage.image pool.client pool.replica
            pool.server: model protocol replica transport transport.access transport.authentication transport.connection \
            transport.client transport.server transport.tls transport.trace storage storage.file storage.log storage.device pool.client pool.disk \
            pool.replica.storage pool.replica.reading pool.replica pool.writer pool.image
            pool.format: model protocol
            pool.warmup: model protocol writer.events transport storage storage.file storage.device pool.replica \
            pool.writer.term pool.writer pool.server pool.format
            pool: model protocol writer.events writer transport transport.authentication transport.client transport.tls transport.trace storage \
            pool.client pool.replica.storage pool.replica.reading pool.replica pool.writer.delivery pool.writer.term \
            pool.writer pool.server pool.format pool.lease
            hdfs.security: model transport transport.access transport.authentication transport.tls
            hdfs.config: model writer.events transport.access transport.authentication transport.tls pool.image pool.server \
            pool pool.lease hdfs.security
            hdfs.edits: model codec storage.image transport.authentication transport.tls pool.writer pool hdfs.config hdfs.tailing
            hdfs.restore: model storage.image pool pool.format hdfs.edits
            hdfs.promote: model protocol replica storage storage.device storage.image pool.replica hdfs.config hdfs.edits \
            hdfs.restore
            hdfs.metrics: model writer.events pool.replica pool.writer pool.server pool
            hdfs.tailing: pool.replica pool.replica.storage pool hdfs.config hdfs.metrics
            hdfs.pin: model pool hdfs.config
            hdfs: model pool.client pool.server pool.format pool hdfs.config hdfs.edits hdfs.metrics hdfs.tailing hdfs.pin \
            hdfs.promote hdfs.restore transport.authentication
            """;

    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.journal");

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeHasNoSideEffects() {
        // Java 8 turns a text into bytes only by way of Charset, which touches nothing outside either.
        check(LayerRules.pureCodeHasNoSideEffectsExcept(belongToAnyOf(Charset.class, StandardCharsets.class), PURE));
    }

    @Test
    void pureCodeUsesNeitherClockNorRandomness() {
        check(LayerRules.pureCodeUsesNeitherClockNorRandomness(PURE));
    }

    @Test
    void pureCodeDependsOnlyOnOwnPureCode() {
        check(LayerRules.pureCodeDependsOnlyOnOwnPureCode(PURE));
    }

    @Test
    void onlyHdfsPackagesUseHadoop() {
        check(LayerRules.hadoopIsConfinedTo("..hdfs.."));
    }

    @Test
    void onlyTransportPackagesUseNetty() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("the simulated network must be able to take its place"));
    }

    @Test
    void onlyZkPackagesUseZooKeeper() {
        check(LayerRules.zooKeeperIsConfinedTo("..zk.."));
    }

    /** Who has a lock from another class neither shows when it is held, nor what it guards. */
    @Test
    void noClassAccessesLockOfAnotherClass() {
        check(noConstructors()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage("io.trefoil.journal.pool..")
                .should()
                .haveRawParameterTypes(describe(
                        "an Object", types -> types.stream().anyMatch(type -> type.isEquivalentTo(Object.class))))
                .because("each class has its own lock"));
    }

    @Test
    void noCodeUsesJackson() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .because("what servers keep and send has formats of its own"));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.trefoil.journal.(**)").should().beFreeOfCycles());
    }

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        assertThat(PackageDependencies.collectFrom(MAIN_CODE, ROOT)).isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    /** So that each part of the simulator can be read alone; only what runs them knows them all. */
    @Test
    void simulatorPackagesHaveNoCycles() {
        slices().matching("io.trefoil.journal.(**)")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter().importPackages("io.trefoil.journal.sim"));
    }

    private static void check(ArchRule rule) {
        // A layer may be named here before its first class is written.
        rule.allowEmptyShould(true).check(MAIN_CODE);
    }
}
