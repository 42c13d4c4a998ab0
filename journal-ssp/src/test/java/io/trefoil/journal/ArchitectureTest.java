/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** The layers of the journal: what decides touches nothing, and each foreign library has one place. */
@AnalyzeClasses(packages = "io.trefoil.journal", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {"..model..", "..protocol..", "..replica..", "..writer.."};

    @ArchTest
    static final ArchRule pureCodeSeesNoWorld = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "java.io..",
                    "java.net..",
                    "java.nio..",
                    "java.util.concurrent..",
                    "org.slf4j..",
                    "org.apache.hadoop..",
                    "org.apache.curator..",
                    "org.apache.zookeeper..",
                    "io.netty.."))
            .because("the simulator must be able to drive every decision")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule pureCodeHasNoClockAndNoChance = noClasses()
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
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule pureCodeSeesOnlyPureCode = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.trefoil..").and(not(resideInAnyPackage(PURE))))
            .because("dependencies run from the drivers to the rules")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule hadoopStaysInHdfs = noClasses()
            .that()
            .resideOutsideOfPackage("..hdfs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..")
            .because("Hadoop's private types must be exchangeable in one place")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nettyStaysInTransport = noClasses()
            .that()
            .resideOutsideOfPackage("..transport..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..")
            .because("the simulated network must be able to replace it")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule zooKeeperStaysInZk = noClasses()
            .that()
            .resideOutsideOfPackage("..zk..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper.."))
            .because("the simulated coordination must be able to replace it")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("io.trefoil.journal.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);
}
