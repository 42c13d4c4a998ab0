/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.foundation.hdfs.HadoopUse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page that lists what federation uses of Hadoop is the whole truth. */
class FederationSeamTest {

    @Test
    void documentationListsEveryMemberUsedByFederation() throws IOException {
        HadoopUse.assertListed("What federation calls", "io.trefoil.federation.hdfs");
    }

    /** Here, as the client's own tests know nothing of the journal's. */
    @Test
    void documentationListsEveryMemberUsedByFederationClient() throws IOException {
        HadoopUse.assertListed("What federation's client calls", "io.trefoil.federation.client");
    }
}
