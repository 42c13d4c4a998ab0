/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Integrates the agent into HDFS's NameNode: the plugin that starts it, what it reads and changes there, and the
 * answers to {@code hdfs haadmin}.
 *
 * <p>Everything that this module knows about Hadoop is here and in the packages below: {@code calls} of clients and the
 * {@code chain} that they meet, {@code watch} over HDFS's threads, {@code config}, {@code metrics} and the page of
 * {@code status}. Begin with {@link io.trefoil.ha.hdfs.MamsPlugin}.
 */
package io.trefoil.ha.hdfs;
