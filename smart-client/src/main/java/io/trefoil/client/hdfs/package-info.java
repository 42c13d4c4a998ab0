/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The failover proxy provider for HDFS clients, and everything that uses Hadoop's types.
 *
 * <p>Needs {@code hadoop-common} and {@code hadoop-hdfs-client}, or the shaded {@code hadoop-client-api}, and nothing
 * else.
 */
package io.trefoil.client.hdfs;
