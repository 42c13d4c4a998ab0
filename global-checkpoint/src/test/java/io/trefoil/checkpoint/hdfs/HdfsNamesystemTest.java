/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.trefoil.foundation.OrderRefusedException;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;

class HdfsNamesystemTest {

    /** A caller that is told it has the lock would cut without it. */
    @Test
    void releasesLockAndRefusesWhenNameNodeIsNotActive() throws Exception {
        FSNamesystem locked = mock(FSNamesystem.class);
        NameNode nameNode = mock(NameNode.class);
        when(nameNode.getNamesystem()).thenReturn(locked);
        when(nameNode.isActiveState()).thenReturn(false, true);
        HdfsNamesystem namesystem = new HdfsNamesystem("ns", "nn1", nameNode, null, null);

        assertThatThrownBy(namesystem::lock)
                .isInstanceOf(OrderRefusedException.class)
                .hasMessage("NameNode nn1 is not active");
        verify(locked).writeLockInterruptibly();
        verify(locked).writeUnlock("checkpoint", true);
    }
}
