/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;

/** Hadoop's writer of edits, and one that does not number them, as that of Hadoop 3.1. */
class EditTxIdAssignmentTest {
    private static final String WRITER = "org/apache/hadoop/hdfs/server/namenode/FSEditLogAsync.class";

    /** Any class without that call. */
    private static final ClassLoader OLD_HADOOP = new ClassLoader(NameNode.class.getClassLoader()) {
        @Override
        public InputStream getResourceAsStream(String name) {
            return super.getResourceAsStream(name.equals(WRITER) ? WRITER.replace("FSEditLogAsync", "NameNode") : name);
        }
    };

    @Test
    void acceptsHadoopThatAssignsTxIdsUnderLock() {
        assertThatCode(() -> EditTxIdAssignment.require(
                        NameNode.class.getClassLoader(), List.of("trefoil.ha.read-committed")))
                .doesNotThrowAnyException();
    }

    @Test
    void acceptsAnyHadoopWhenNoFeatureNeedsEarlyTxIds() {
        assertThatCode(() -> EditTxIdAssignment.require(OLD_HADOOP, List.of())).doesNotThrowAnyException();
    }

    @Test
    void rejectsHadoopThatAssignsTxIdsLate() {
        assertThatThrownBy(() -> EditTxIdAssignment.require(
                        OLD_HADOOP, List.of("trefoil.ha.read-committed", "trefoil.ha.forward-calls")))
                .hasMessageContaining("set trefoil.ha.read-committed and trefoil.ha.forward-calls to false");
    }
}
