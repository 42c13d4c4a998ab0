/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The command's part of the page that lists what we use of Hadoop is the whole truth. */
class ToolsSeamTest {

    @Test
    void documentationListsExactlyUsedHadoopMembers() throws IOException {
        HadoopUse.assertListed("What the command calls", "io.trefoil.tools");
    }
}
