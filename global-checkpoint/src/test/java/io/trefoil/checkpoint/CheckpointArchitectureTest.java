/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.foundation.LayerRules;
import io.trefoil.foundation.PackageDependencies;
import org.junit.jupiter.api.Test;

/** The layers of the checkpoint: what decides touches nothing, and each foreign library has one place. */
class CheckpointArchitectureTest {
    private static final String[] PURE = {
        "io.trefoil.checkpoint.model..",
        "io.trefoil.checkpoint.coordinator..",
        "io.trefoil.checkpoint.participant..",
        "io.trefoil.checkpoint.restore..",
        "io.trefoil.checkpoint.retention..",
        "io.trefoil.checkpoint.archive",
        "io.trefoil.checkpoint.archive.group",
        "io.trefoil.checkpoint.undelete"
    };
    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            checkpoint.model: journal.model
            checkpoint.coordinator: foundation checkpoint.model
            checkpoint.participant: foundation checkpoint.model
            checkpoint.restore: checkpoint.model
            checkpoint.retention: checkpoint.model
            checkpoint: journal.model checkpoint.model checkpoint.restore checkpoint.retention
            checkpoint.archive: journal.model
            checkpoint.archive.store: foundation journal.codec journal.model journal.storage checkpoint.archive
            checkpoint.archive.run: foundation checkpoint.archive.group checkpoint.archive.store
            checkpoint.hdfs.archive: checkpoint.hdfs.files foundation foundation.hdfs journal.hdfs journal.hdfs.config journal.hdfs.edits journal.hdfs.promote journal.hdfs.restore journal.image \
            journal.model journal.pool journal.pool.client journal.protocol journal.storage journal.storage.image \
            checkpoint.archive checkpoint.archive.group checkpoint.archive.run checkpoint.archive.store \
            checkpoint.hdfs.config
            checkpoint.undelete: checkpoint.archive
            checkpoint.hdfs.undelete: foundation checkpoint.archive checkpoint.undelete
            checkpoint.run: foundation checkpoint.model checkpoint.coordinator checkpoint.participant
            checkpoint.hdfs.files: foundation journal.hdfs.edits journal.hdfs.restore journal.model \
            journal.storage.image checkpoint.model checkpoint.restore checkpoint
            checkpoint.hdfs.config: foundation.hdfs checkpoint.hdfs.files
            checkpoint.hdfs.restore: foundation journal.hdfs journal.hdfs.edits journal.hdfs.restore journal.model \
            journal.pool journal.pool.client checkpoint.model checkpoint.restore checkpoint checkpoint.hdfs.files \
            checkpoint.hdfs.config
            checkpoint.hdfs: foundation foundation.hdfs journal.hdfs journal.hdfs.edits journal.hdfs.metrics \
            journal.hdfs.pin journal.hdfs.restore journal.model journal.pool checkpoint.model checkpoint.coordinator \
            checkpoint.participant checkpoint.restore checkpoint.retention checkpoint checkpoint.run \
            checkpoint.hdfs.files checkpoint.hdfs.config checkpoint.hdfs.restore checkpoint.archive.group \
            checkpoint.archive.run checkpoint.hdfs.archive
            """;

    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.checkpoint");

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeHasNoSideEffects() {
        LayerRules.pureCodeHasNoSideEffects(PURE).check(MAIN_CODE);
    }

    @Test
    void pureCodeUsesNeitherClockNorRandomness() {
        LayerRules.pureCodeUsesNeitherClockNorRandomness(PURE).check(MAIN_CODE);
    }

    @Test
    void pureCodeDependsOnlyOnOwnPureCode() {
        LayerRules.pureCodeDependsOnlyOnOwnPureCode(PURE).check(MAIN_CODE);
    }

    @Test
    void onlyHdfsPackagesUseHadoop() {
        LayerRules.hadoopIsConfinedTo("io.trefoil.checkpoint.hdfs..").check(MAIN_CODE);
    }

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        assertThat(PackageDependencies.collectFrom(MAIN_CODE, "io.trefoil."))
                .isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.checkpoint.(**)")
                .should()
                .beFreeOfCycles()
                .check(MAIN_CODE);
    }
}
