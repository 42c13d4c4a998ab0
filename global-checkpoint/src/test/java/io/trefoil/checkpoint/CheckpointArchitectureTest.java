/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.journal.LayerRules;
import org.junit.jupiter.api.Test;

/** The layers of the checkpoint and of what DataNodes are asked: what decides touches nothing, and each foreign library has one place. */
class CheckpointArchitectureTest {
    private static final String[] PURE = {
        "io.trefoil.checkpoint.model..",
        "io.trefoil.checkpoint.coordinator..",
        "io.trefoil.checkpoint.participant..",
        "io.trefoil.checkpoint.restore..",
        "io.trefoil.checkpoint.retention..",
        "io.trefoil.datanode"
    };
    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.trefoil.checkpoint", "io.trefoil.datanode");

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
        LayerRules.hadoopStaysIn("io.trefoil.checkpoint.hdfs..", "io.trefoil.datanode.hdfs..")
                .check(MAIN_CODE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.(checkpoint|datanode).(**)")
                .should()
                .beFreeOfCycles()
                .check(MAIN_CODE);
    }
}
