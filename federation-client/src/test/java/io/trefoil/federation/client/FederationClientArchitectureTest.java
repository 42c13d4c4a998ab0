/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

/** A client's class path is not ours: what is used must be there in each Hadoop client, the shaded one as well. */
class FederationClientArchitectureTest {
    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.trefoil.federation.client");

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(MAIN_CODE).isNotEmpty();
    }

    @Test
    void onlyHdfsPackagesUseHadoop() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.trefoil.federation.client.hdfs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .because("Hadoop's private types must be exchangeable in one place")
                .check(MAIN_CODE);
    }

    @Test
    void tableVersionDoesNotDependOnItsFollower() {
        noClasses()
                .that()
                .resideInAPackage("io.trefoil.federation.client.hdfs.version")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.trefoil.federation.client.hdfs")
                .because("what is repeated by another version is decided above")
                .check(MAIN_CODE);
    }

    @Test
    void usesOnlyJdkAndHadoopAndSmartClient() {
        noClasses()
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        // AutoValue's annotation stays in the class file; no code looks for it at run time.
                        "com.google.auto.value..",
                        "java..",
                        "javax.security.sasl..",
                        "io.trefoil.client..",
                        "io.trefoil.federation.client..",
                        "org.apache.hadoop..",
                        "org.slf4j..")))
                .because("beside the smart client the jar must need nothing that a client may lack")
                .check(MAIN_CODE);
    }

    @Test
    void avoidsServerSideOfHadoop() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.apache.hadoop.hdfs.server..", "org.apache.hadoop.thirdparty..")
                                .and(not(resideInAnyPackage(
                                        "org.apache.hadoop.hdfs.server.namenode.ha..",
                                        "org.apache.hadoop.thirdparty.protobuf"))))
                .because(
                        "hadoop-hdfs is not on the class path of clients, and of what Hadoop shades only its protocols are")
                .check(MAIN_CODE);
    }
}
