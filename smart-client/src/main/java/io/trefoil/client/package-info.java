/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds the active NameNode of a nameservice and abandons one that does not answer, without any knowledge of Hadoop.
 *
 * <p>The parts that speak HDFS's protocols are in {@code io.trefoil.client.hdfs}. See section 4.4 of the paper and
 * {@code docs/design/smart-client.md}.
 */
package io.trefoil.client;
