/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The chain of layers around HDFS's answers to clients: the layers that the settings ask for, and their threads and connections. The layers
 * themselves are in {@code calls}, {@code near} and {@code forward}; an {@link io.trefoil.ha.hdfs.chain.CallLayerPlugin} comes from
 * elsewhere.
 *
 * <p>Built once, by {@link io.trefoil.ha.hdfs.MamsPlugin}, before the NameNode has a role; a call meets the layers on
 * HDFS's handler threads.
 */
package io.trefoil.ha.hdfs.chain;
