/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what automatic failover uses of Hadoop is the whole truth. */
class FailoverSeamTest {

    @Test
    void documentationListsExactlyUsedHadoopMembers() throws IOException {
        HadoopUse.assertListed("What automatic failover calls", "io.trefoil.ha");
    }
}
