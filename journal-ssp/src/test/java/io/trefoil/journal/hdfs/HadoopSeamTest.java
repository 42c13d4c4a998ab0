/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what we use of Hadoop is the whole truth: an upgrade of Hadoop is checked against it. */
class HadoopSeamTest {

    @Test
    void listsExactlyUsedHadoopMembers() throws IOException {
        HadoopUse.assertListed("What we call", "io.trefoil.journal.hdfs", "io.trefoil.foundation.hdfs");
    }
}
