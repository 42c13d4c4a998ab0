/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.journal.LayerRules;
import org.junit.jupiter.api.Test;

/** What a DataNode is asked is plain values; what it does is in one place. */
class DataNodeArchitectureTest {
    private static final String PURE = "io.trefoil.datanode";
    private static final JavaClasses MAIN_CODE =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(PURE);

    @Test
    void theRulesSeeTheMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void pureCodeSeesNoWorld() {
        LayerRules.pureCodeSeesNoWorld(PURE).check(MAIN_CODE);
    }

    @Test
    void hadoopStaysInHdfs() {
        LayerRules.hadoopStaysIn("io.trefoil.datanode.hdfs..").check(MAIN_CODE);
    }
}
