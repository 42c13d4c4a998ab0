/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The layers of the journal: what decides touches nothing, and each foreign library has one place. */
class ArchitectureTest {
    private static final String[] PURE = {
        "io.trefoil.journal.model..",
        "io.trefoil.journal.protocol..",
        "io.trefoil.journal.replica..",
        "io.trefoil.journal.writer..",
        "io.trefoil.journal.image.."
    };

    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.journal");

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeSeesNoWorld() {
        // Java 8 turns a text into bytes only by way of Charset, which touches nothing outside either.
        check(LayerRules.pureCodeSeesNoWorldBut(belongToAnyOf(Charset.class, StandardCharsets.class), PURE));
    }

    @Test
    void pureCodeHasNoClockAndNoChance() {
        check(LayerRules.pureCodeHasNoClockAndNoChance(PURE));
    }

    @Test
    void pureCodeSeesOnlyPureCodeOfOurs() {
        check(LayerRules.pureCodeSeesOnlyPureCodeOfOurs(PURE));
    }

    @Test
    void hadoopStaysInHdfs() {
        check(LayerRules.hadoopStaysIn("..hdfs.."));
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
        check(LayerRules.zooKeeperStaysIn("..zk.."));
    }

    @Test
    void jacksonIsNotUsed() {
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

    private static void check(ArchRule rule) {
        // A layer may be named here before its first class is written.
        rule.allowEmptyShould(true).check(MAIN_CODE);
    }
}
