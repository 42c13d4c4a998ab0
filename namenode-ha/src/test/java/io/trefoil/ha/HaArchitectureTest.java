/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.journal.LayerRules;
import org.junit.jupiter.api.Test;

/** The layers of the agent: what decides touches nothing, and each foreign library has one place. */
class HaArchitectureTest {
    private static final String[] PURE = {"io.trefoil.ha.model..", "io.trefoil.ha.agent..", "io.trefoil.ha.status.."};
    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.ha");

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeSeesNoWorld() {
        LayerRules.pureCodeSeesNoWorld(PURE).check(MAIN_CODE);
    }

    @Test
    void pureCodeHasNoClockAndNoChance() {
        LayerRules.pureCodeHasNoClockAndNoChance(PURE).check(MAIN_CODE);
    }

    @Test
    void pureCodeSeesOnlyPureCodeOfOurs() {
        LayerRules.pureCodeSeesOnlyPureCodeOfOurs(PURE).check(MAIN_CODE);
    }

    @Test
    void hadoopStaysInHdfs() {
        LayerRules.hadoopStaysIn("io.trefoil.ha.hdfs..").check(MAIN_CODE);
    }

    @Test
    void zooKeeperStaysInZk() {
        LayerRules.zooKeeperStaysIn("io.trefoil.ha.zk..").check(MAIN_CODE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.ha.(**)").should().beFreeOfCycles().check(MAIN_CODE);
    }
}
