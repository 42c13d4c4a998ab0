/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.foundation.KnownPackages;
import io.trefoil.foundation.LayerRules;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command is above everything, and nothing knows it. */
class ToolsArchitectureTest {

    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            checkpoint.text: output table.model
            table.mirror: table.model
            subtree.model: table.model subtree.progress
            subtree.balance: table.model
            hdfs.limits: subtree.model
            hdfs.tree: hdfs.limits subtree.model subtree.progress table.model
            hdfs.folder: hdfs.tree subtree.model table.model
            hdfs.subtree: hdfs.folder hdfs.limits hdfs.tree subtree.model subtree.progress table.model
            cluster: table.model table.mirror subtree.model
            site: output
            checkpoint: checkpoint.text table.model
            group: output cluster pool.survey
            members: output cluster group
            hdfs: output table.model table.mirror cluster subtree.model hdfs.subtree hdfs.folder hdfs.tree
            pool.survey: output cluster
            preflight: output cluster
            diagnose: output cluster
            table: output table.model table.mirror cluster subtree.model
            subtree.load: cluster
            subtree: output table table.model table.mirror cluster subtree.model subtree.progress subtree.balance subtree.load
            pool: output cluster pool.survey
            export: output cluster pool.survey pool
            image: output cluster pool.survey pool
            verify: output cluster pool.survey pool
            pin: output cluster pool.survey pool image
            home: output cluster group pool
            """;

    private static final Pattern CHANGE = Pattern.compile(
            "(create|append|concat|truncate|rename|delete|mkdir|set|unset|modify|allow|disallow|remove|add|satisfy)\\w*");

    /** Who may have a NameNode that asks nobody: to read, to guard it, or to ask for the lock. */
    private static final Set<String> UNGUARDED =
            Set.of("FolderSeal", "HdfsEnds", "HdfsFolder", "HdfsFreeze", "HdfsMoveStore", "FoldersAbove");

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
        LayerRules.hadoopStaysIn("io.trefoil.tools.hdfs..").check(TOOLS);
    }

    @Test
    void packagesKnowOnlyThoseThatTheyMay() {
        assertThat(KnownPackages.in(TOOLS, "io.trefoil.tools.")).isEqualTo(KnownPackages.of(MAY_KNOW));
    }

    /** A change past the lock of moves could come from a process that has lost it. */
    @Test
    void callsOfMovesThatChangeSomethingAreGuarded() {
        JavaClasses moves =
                TOOLS.that(resideInAnyPackage("io.trefoil.tools.hdfs.subtree", "io.trefoil.tools.hdfs.folder"));
        // It has the lock itself.
        noClasses()
                .that()
                .doNotHaveSimpleName("HdfsMoveStore")
                .should()
                .callMethodWhere(describe(
                        "changes something by a file system",
                        call -> call.getTargetOwner().isAssignableTo("org.apache.hadoop.fs.FileSystem")
                                && CHANGE.matcher(call.getName()).matches()))
                .check(moves);
        noClasses()
                .should()
                .callMethodWhere(describe(
                        "asks HDFS's client for its NameNode",
                        call -> call.getName().equals("getNamenode")
                                && !UNGUARDED.contains(call.getOriginOwner().getSimpleName())))
                .check(moves);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.tools.(**)").should().beFreeOfCycles().check(TOOLS);
    }
}
