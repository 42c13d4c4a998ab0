/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.foundation.KnownPackages;
import io.trefoil.foundation.LayerRules;
import org.junit.jupiter.api.Test;

/** The command is above everything, and nothing knows it. */
class ToolsArchitectureTest {

    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            checkpoint.text: output
            federation.load: cluster
            site: output
            checkpoint: checkpoint.text
            diagnose: cluster output
            hdfs: cluster output
            pool.survey: cluster output
            preflight: cluster output
            federation: cluster federation.subtree federation.table
            federation.cluster: checkpoint checkpoint.text cluster
            federation.hdfs: checkpoint federation.cluster hdfs
            federation.table: cluster federation.cluster output
            group: cluster output pool.survey
            members: cluster group output
            pool: cluster output pool.survey
            export: cluster output pool pool.survey
            home: cluster group output pool
            image: cluster output pool pool.survey
            verify: cluster output pool pool.survey
            federation.subtree: cluster federation.cluster federation.load federation.table output
            pin: cluster image output pool pool.survey
            """;

    private static final JavaClasses ALL =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil");
    private static final JavaClasses TOOLS = ALL.that(resideInAPackage("io.trefoil.tools.."));

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(TOOLS).isNotEmpty();
    }

    @Test
    void nothingKnowsTheCommand() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.trefoil.tools..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.trefoil.tools..")
                .because("the servers must not load it")
                .check(ALL);
    }

    @Test
    void picocliStaysInTools() {
        LayerRules.picocliStaysIn("io.trefoil.tools..").check(ALL);
    }

    @Test
    void hadoopStaysInHdfs() {
        LayerRules.hadoopStaysIn("io.trefoil.tools.hdfs..", "io.trefoil.tools.federation.hdfs..")
                .check(TOOLS);
    }

    @Test
    void packagesKnowOnlyThoseThatTheyMay() {
        assertThat(KnownPackages.in(TOOLS, "io.trefoil.tools.")).isEqualTo(KnownPackages.of(MAY_KNOW));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.tools.(**)").should().beFreeOfCycles().check(TOOLS);
    }
}
