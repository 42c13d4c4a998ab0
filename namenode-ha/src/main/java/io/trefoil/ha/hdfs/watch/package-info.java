/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the threads of a NameNode wait for and whether they get on, for {@code HealthProbe}: a NameNode that hangs is as bad
 * as one that is dead, but looks alive to ZooKeeper (paper §4.2).
 *
 * <p>Asked by the probe's own threads; nothing here waits for a lock of HDFS.
 */
package io.trefoil.ha.hdfs.watch;
