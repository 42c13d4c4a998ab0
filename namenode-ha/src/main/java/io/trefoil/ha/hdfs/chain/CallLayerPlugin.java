/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.hdfs.calls.ClientCalls.Layer;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * A layer around HDFS's answers to clients that another feature brings: {@code ServiceLoader} finds it, so that the chain need not know its
 * origin. One instance for each NameNode.
 */
public interface CallLayerPlugin extends Closeable {

    /** The place of the layer in the chain. */
    Layer layer();

    /**
     * Whether a NameNode with these settings has the layer.
     *
     * @throws IllegalArgumentException if a setting is wrong; the text names it
     */
    boolean isEnabled(SuffixedConfiguration conf);

    /**
     * Puts the layer around those below it; called once, before the NameNode has a role. Its {@link #close} is called in any case.
     *
     * @throws IOException if it cannot begin; the NameNode then does not start
     */
    BlockingService wrap(BlockingService calls, NameNode nameNode) throws IOException;

    /**
     * Waits for the calls that it admitted when the NameNode was active before; may be called by any thread, even before the layer has
     * started.
     */
    void awaitEarlierCalls();

    /** Ends its threads. */
    @Override
    void close();
}
