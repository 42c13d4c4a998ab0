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
 * A layer around HDFS's answers to clients that another feature brings: {@code ServiceLoader} finds it, so that the chain need not
 * know whose it is. One instance for each NameNode.
 */
public interface CallLayerPlugin extends Closeable {

    /** The place of the layer in the chain. */
    Layer place();

    /**
     * Whether a NameNode with these settings has it.
     *
     * @throws IllegalArgumentException if a setting is wrong; the text names it
     */
    boolean isWanted(SuffixedConfiguration conf);

    /**
     * Puts it around the layers below; called once, before the NameNode has a role. Its {@link #close} is called in any case.
     *
     * @throws IOException if it cannot begin; the NameNode then does not start
     */
    BlockingService wrap(BlockingService calls, NameNode nameNode) throws IOException;

    /** Waits for the calls that it let through when the NameNode was active before; any thread, also before it has begun. */
    void awaitEarlierCalls();

    /** Ends its threads. */
    @Override
    void close();
}
