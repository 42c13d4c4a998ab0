/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.hdfs.AddedPart;
import org.apache.hadoop.conf.Configuration;

/** For {@code ServiceLoader}. */
public final class FederationPart implements AddedPart<Federation> {

    @Override
    public Class<Federation> port() {
        return Federation.class;
    }

    @Override
    public Federation of(Configuration conf) {
        return new HadoopFederation(conf);
    }
}
