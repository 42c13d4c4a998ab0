/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.foundation.PackageDependencies;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The commands that a build may leave out know the others, and none of these knows them. */
class FederationCommandsArchitectureTest {

    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            federation.load: cluster
            federation: cluster federation.subtree federation.table
            federation.cluster: checkpoint checkpoint.text cluster
            federation.hdfs: checkpoint federation.cluster hdfs
            federation.table: cluster federation.cluster output
            federation.subtree: cluster federation.cluster federation.load federation.table output
            """;

    private static final JavaClasses TOOLS =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.trefoil.tools");

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        Map<String, Set<String>> known = PackageDependencies.collectFrom(TOOLS, "io.trefoil.tools.");
        known.keySet().removeIf(one -> !one.startsWith("federation"));
        assertThat(known).isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    @Test
    void otherCommandsDoNotDependOnFederationCommands() {
        Map<String, Set<String>> known = PackageDependencies.collectFrom(TOOLS, "io.trefoil.tools.");
        known.keySet().removeIf(one -> one.startsWith("federation"));
        assertThat(known.values()).allSatisfy(all -> assertThat(all).noneMatch(one -> one.startsWith("federation")));
    }
}
