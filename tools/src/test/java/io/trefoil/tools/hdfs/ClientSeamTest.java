/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The smart client's uses of Hadoop; here, as its own tests know nothing of the journal's. */
class ClientSeamTest {
    @Test
    void documentationListsEveryMemberUsedByClient() throws IOException {
        HadoopUse.assertListed("What the smart client calls", "io.trefoil.client");
    }
}
