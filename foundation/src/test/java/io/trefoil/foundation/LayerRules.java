/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** The rules of layers that all modules share, for the packages of theirs that are pure. */
public final class LayerRules {

    private static final DescribedPredicate<JavaClass> WORLD = resideInAnyPackage(
            "java.io..",
            "java.net..",
            "java.nio..",
            "java.util.concurrent..",
            "org.slf4j..",
            "com.fasterxml..",
            "org.apache..",
            "io.netty..");

    private LayerRules() {}

    public static ArchRule pureCodeHasNoSideEffects(String... pure) {
        return pureCodeHasNoSideEffectsExcept(belongToAnyOf(), pure);
    }

    /** @param harmless what touches nothing outside, though its package does */
    public static ArchRule pureCodeHasNoSideEffectsExcept(DescribedPredicate<JavaClass> harmless, String... pure) {
        return noClasses()
                .that()
                .resideInAnyPackage(pure)
                .should()
                .dependOnClassesThat(WORLD.and(not(harmless)))
                .because("the simulator must be able to drive every decision");
    }

    public static ArchRule pureCodeUsesNeitherClockNorRandomness(String... pure) {
        return noClasses()
                .that()
                .resideInAnyPackage(pure)
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
                .because("one seed must always give one history");
    }

    /** The journal's values and messages are pure, and there for every module. */
    public static ArchRule pureCodeDependsOnlyOnOwnPureCode(String... pure) {
        return noClasses()
                .that()
                .resideInAnyPackage(pure)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.trefoil..")
                        .and(not(resideInAnyPackage(pure)))
                        .and(not(resideInAnyPackage("io.trefoil.journal.model..", "io.trefoil.journal.protocol..")))
                        .and(not(belongToAnyOf(Step.class, StageTransitions.class, StageTransitions.Builder.class))))
                .because("drivers depend on rules, never the other way round");
    }

    public static ArchRule hadoopIsConfinedTo(String... hdfs) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(hdfs)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .because("Hadoop's private types must be exchangeable in one place");
    }

    public static ArchRule zooKeeperIsConfinedTo(String zk) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(zk)
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper.."))
                .because("the simulated coordination must be able to take its place");
    }
}
