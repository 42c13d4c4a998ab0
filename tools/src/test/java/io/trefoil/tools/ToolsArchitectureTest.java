/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.foundation.LayerRules;
import io.trefoil.foundation.PackageDependencies;
import org.junit.jupiter.api.Test;

/** The layers of the command. No other module that is shipped has it, or picocli, on its class path. */
class ToolsArchitectureTest {

    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            checkpoint.text: output
            site: output
            checkpoint: checkpoint.text
            diagnose: cluster output
            hdfs: cluster output
            pool.survey: cluster output
            preflight: cluster output
            group: cluster output pool.survey
            members: cluster group output
            upgrade: cluster group output
            pool: cluster output pool.survey
            export: cluster output pool pool.survey
            home: cluster group output pool
            image: cluster output pool pool.survey
            verify: cluster output pool pool.survey
            archive: checkpoint.text cluster image output pool pool.survey
            pin: cluster image output pool pool.survey
            """;

    private static final JavaClasses TOOLS =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.tools");

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(TOOLS).isNotEmpty();
    }

    @Test
    void onlyHdfsPackagesUseHadoop() {
        LayerRules.hadoopIsConfinedTo("io.trefoil.tools.hdfs..", "io.trefoil.tools.federation.hdfs..")
                .check(TOOLS);
    }

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        // Those of federation have a test that is left out with them.
        assertThat(PackageDependencies.collectFrom(
                        TOOLS.that(resideOutsideOfPackage("io.trefoil.tools.federation..")), "io.trefoil.tools."))
                .isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.tools.(**)").should().beFreeOfCycles().check(TOOLS);
    }
}
