/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Watches the waits of a NameNode's threads, and whether they make progress, for {@code HealthProbe}: a hanging
 * NameNode is as bad as a dead one, but looks alive to ZooKeeper (paper §4.2).
 *
 * <p>Runs on the probe's own threads; nothing here waits for a lock of HDFS.
 */
package io.trefoil.ha.hdfs.watch;
