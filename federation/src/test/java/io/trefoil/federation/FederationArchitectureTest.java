/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.foundation.LayerRules;
import io.trefoil.foundation.PackageDependencies;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The layers of federation: what decides touches nothing, and Hadoop has one place. */
class FederationArchitectureTest {
    private static final String[] PURE = {
        "io.trefoil.federation.balance..",
        "io.trefoil.federation.gate..",
        "io.trefoil.federation.datanode..",
        "io.trefoil.federation.move.rules.."
    };

    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            balance: table
            gate: marks
            hdfs.datanode: datanode
            mirror: table
            table: marks
            hdfs.gate: client.hdfs client.hdfs.version gate hdfs.config marks
            hdfs.load: hdfs.config
            hdfs.limits: marks move
            move: move.progress move.rules table
            hdfs.directory: hdfs.tree marks move table
            hdfs.tree: hdfs.limits marks move move.progress table
            hdfs: hdfs.directory hdfs.move hdfs.tree marks mirror move table
            hdfs.move: datanode hdfs.datanode hdfs.directory hdfs.limits hdfs.tree marks move move.progress move.rules table
            """;

    private static final Pattern CHANGE = Pattern.compile(
            "(create|append|concat|truncate|rename|delete|mkdir|set|unset|modify|allow|disallow|remove|add|satisfy)\\w*");

    /** The classes that may have a NameNode that asks for no permit: to read, to guard it, or to ask for the lock. */
    private static final Set<String> UNGUARDED = Set.of(
            "DirectorySeal", "MoveConnections", "HdfsDirectory", "HdfsFreeze", "HdfsMoveStore", "AncestorDirectories");

    /** All of the module, also what is in packages of Hadoop's. */
    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .importUrl(SubtreeMover.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(MAIN_CODE).anyMatch(one -> one.getPackageName().startsWith("org.apache.hadoop"));
        assertThat(MAIN_CODE).anyMatch(one -> one.isEquivalentTo(SubtreeMover.class));
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
    void onlyHdfsPackagesUseHadoop() {
        LayerRules.hadoopIsConfinedTo("io.trefoil.federation.hdfs..", "org.apache.hadoop..")
                .check(MAIN_CODE);
    }

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        assertThat(PackageDependencies.collectFrom(MAIN_CODE, "io.trefoil.federation."))
                .isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    /** A change past the lock of moves could come from a process that has lost it. */
    @Test
    void mutatingMoveCallsAreGuarded() {
        JavaClasses moves = MAIN_CODE.that(
                resideInAnyPackage("io.trefoil.federation.hdfs.move", "io.trefoil.federation.hdfs.directory"));
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
        slices().matching("io.trefoil.federation.(**)")
                .should()
                .beFreeOfCycles()
                .check(MAIN_CODE);
    }
}
