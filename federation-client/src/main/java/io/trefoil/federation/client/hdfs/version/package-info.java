/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A single version of the table: Hadoop's own client for mount tables, which routes by it, with its bugs corrected in the classes that
 * {@link io.trefoil.federation.client.hdfs.version.SubtreeView} extends. The package {@code io.trefoil.federation.client.hdfs} decides
 * which version is the newest, and repeats calls by another one.
 */
package io.trefoil.federation.client.hdfs.version;
