/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what we use of Hadoop is true of this module. */
class BookKeeperSeamTest {

    @Test
    void listsExactlyUsedHadoopMembers() throws IOException {
        HadoopUse.assertListed("What the journal in BookKeeper calls", "io.trefoil.journal.bookkeeper.hdfs");
    }
}
