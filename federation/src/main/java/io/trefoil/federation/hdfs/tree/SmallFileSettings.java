/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import org.apache.hadoop.conf.Configuration;

/**
 * The settings of clients that write versions of the table and records of moves. A client that closes a file often asks before the
 * NameNode knows of the last replica. HDFS's client asks again after 400 ms, in which the clients of a subtree would wait for its new
 * version.
 */
public final class SmallFileSettings {

    /** The first wait, which doubles each time, so that {@link #QUESTIONS} take 20 s. */
    private static final int FIRST_WAIT_MILLIS = 5;

    private static final int QUESTIONS = 12;

    private SmallFileSettings() {}

    /** A copy of a configuration with these settings. */
    public static Configuration withFastClose(Configuration conf) {
        Configuration copy = new Configuration(conf);
        copy.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", FIRST_WAIT_MILLIS);
        copy.setInt("dfs.client.block.write.locateFollowingBlock.retries", QUESTIONS);
        return copy;
    }
}
