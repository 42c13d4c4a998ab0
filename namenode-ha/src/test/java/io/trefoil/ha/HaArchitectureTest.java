/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.trefoil.foundation.LayerRules;
import io.trefoil.foundation.PackageDependencies;
import io.trefoil.ha.agent.Agent;
import org.junit.jupiter.api.Test;

/** The layers of the agent: what decides touches nothing, and each foreign library has one place. */
class HaArchitectureTest {
    private static final String[] PURE = {"io.trefoil.ha.model..", "io.trefoil.ha.agent..", "io.trefoil.ha.status.."};
    /** Which package may know which, as far as they are this module's. */
    private static final String MAY_KNOW =
            """
            agent.events: model
            hdfs.orders: model
            status: model
            agent: model agent.events
            hdfs.forward: model agent
            run: model agent.events agent
            zk: model run zk.connection
            hdfs.config: zk.connection
            hdfs.metrics: model agent.events agent zk
            hdfs.calls: hdfs.forward hdfs.metrics hdfs.watch
            hdfs.status: model status hdfs.config
            hdfs.chain: hdfs.dated hdfs.orders hdfs.forward hdfs.near run hdfs.config hdfs.metrics hdfs.calls
            hdfs: hdfs.watch model agent.events hdfs.orders agent run zk hdfs.config hdfs.metrics hdfs.calls hdfs.status hdfs.chain
            """;

    /** All of the module, also what is in packages of Hadoop's. */
    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .importUrl(Agent.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void importedClassesIncludeMainCode() {
        assertThat(MAIN_CODE).anyMatch(one -> one.getPackageName().startsWith("org.apache.hadoop"));
        assertThat(MAIN_CODE).anyMatch(one -> one.isEquivalentTo(Agent.class));
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
        LayerRules.hadoopIsConfinedTo("io.trefoil.ha.hdfs..", "org.apache.hadoop..")
                .check(MAIN_CODE);
    }

    @Test
    void onlyZkPackagesUseZooKeeper() {
        LayerRules.zooKeeperIsConfinedTo("io.trefoil.ha.zk..").check(MAIN_CODE);
    }

    @Test
    void packagesDependOnlyOnAllowedPackages() {
        assertThat(PackageDependencies.collectFrom(MAIN_CODE, "io.trefoil.ha."))
                .isEqualTo(PackageDependencies.parse(MAY_KNOW));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.trefoil.ha.(**)").should().beFreeOfCycles().check(MAIN_CODE);
    }
}
