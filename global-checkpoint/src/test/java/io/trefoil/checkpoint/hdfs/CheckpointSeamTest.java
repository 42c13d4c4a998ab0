/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what checkpoints use of Hadoop is the whole truth. */
class CheckpointSeamTest {

    @Test
    void documentationListsExactlyUsedHadoopMembers() throws IOException {
        HadoopUse.assertListed("What checkpoints call", "io.trefoil.checkpoint");
    }
}
