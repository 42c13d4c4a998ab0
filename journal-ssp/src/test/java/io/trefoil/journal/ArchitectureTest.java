/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The layers of the journal: what decides touches nothing, and each foreign library has one place. */
class ArchitectureTest {
    private static final String[] PURE = {"..model..", "..protocol..", "..replica..", "..writer..", "..image.."};

    // Java 8 turns a text into bytes only by way of Charset, which touches nothing outside either.
    private static final DescribedPredicate<JavaClass> WORLD = resideInAnyPackage(
                    "java.io..",
                    "java.net..",
                    "java.nio..",
                    "java.util.concurrent..",
                    "org.slf4j..",
                    "org.apache.hadoop..",
                    "org.apache.curator..",
                    "org.apache.zookeeper..",
                    "io.netty..")
            .and(not(belongToAnyOf(Charset.class, StandardCharsets.class)));

    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.journal");

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeSeesNoWorld() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(WORLD)
                .because("the simulator must be able to drive every decision"));
    }

    @Test
    void pureCodeHasNoClockAndNoChance() {
        check(noClasses()
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
                .because("one seed must always give one history"));
    }

    @Test
    void pureCodeSeesOnlyPureCodeOfOurs() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.trefoil..").and(not(resideInAnyPackage(PURE))))
                .because("drivers depend on rules, never the other way round"));
    }

    @Test
    void hadoopStaysInHdfs() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..hdfs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .because("Hadoop's private types must be exchangeable in one place"));
    }

    @Test
    void nettyStaysInTransport() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("the simulated network must be able to take its place"));
    }

    @Test
    void zooKeeperStaysInZk() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..zk..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper.."))
                .because("the simulated coordination must be able to take its place"));
    }

    @Test
    void picocliStaysInCli() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .because("only the command needs it, and the servers must not load it"));
    }

    @Test
    void jacksonStaysInCli() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("..cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .because("what servers keep and send has formats of its own"));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.trefoil.journal.(**)").should().beFreeOfCycles());
    }

    private static void check(ArchRule rule) {
        // A layer may be named here before its first class is written.
        rule.allowEmptyShould(true).check(MAIN_CODE);
    }
}
