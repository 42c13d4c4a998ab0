/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The layers of the checkpoint: what decides touches nothing, and each foreign library has one place. */
class ArchitectureTest {
    private static final String[] PURE = {
        "io.trefoil.checkpoint.model..",
        "io.trefoil.checkpoint.coordinator..",
        "io.trefoil.checkpoint.participant..",
        "io.trefoil.checkpoint.restore..",
        "io.trefoil.checkpoint.retention.."
    };
    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.checkpoint");

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeSeesNoWorld() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..",
                        "java.net..",
                        "java.nio..",
                        "java.util.concurrent..",
                        "org.slf4j..",
                        "com.fasterxml..",
                        "org.apache..",
                        "io.netty..")
                .because("the simulator must be able to drive every decision")
                .check(MAIN_CODE);
    }

    @Test
    void pureCodeHasNoClockAndNoChance() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Random.class, Thread.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .because("one seed must always give one history")
                .check(MAIN_CODE);
    }

    @Test
    void pureCodeSeesOnlyPureCodeOfOurs() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.trefoil..")
                        .and(not(resideInAnyPackage(PURE)))
                        .and(not(resideInAnyPackage("io.trefoil.journal.model..", "io.trefoil.journal.protocol.."))))
                .because("drivers depend on rules, never the other way round")
                .check(MAIN_CODE);
    }

    @Test
    void hadoopStaysInHdfs() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.trefoil.checkpoint.hdfs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .because("Hadoop's private types must be exchangeable in one place")
                .check(MAIN_CODE);
    }

    @Test
    void picocliStaysInCli() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.trefoil.checkpoint.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .because("only the command needs it, and NameNodes must not load it")
                .check(MAIN_CODE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.checkpoint.(**)")
                .should()
                .beFreeOfCycles()
                .check(MAIN_CODE);
    }
}
