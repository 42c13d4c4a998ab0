/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what is used of a DataNode is the whole truth. */
class DataNodeSeamTest {

    @Test
    void everyMemberThatIsUsedIsListedAndNoOther() throws IOException {
        HadoopUse.assertListed("What block linking calls", "io.trefoil.datanode");
    }
}
