/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * One version of the table: Hadoop's own client for mount tables, which routes by it, with what that client does wrong corrected in the
 * classes that {@link io.trefoil.federation.client.hdfs.version.SubtreeView} extends. Which version is the newest, and what is
 * repeated by another one, is decided above, in {@code io.trefoil.federation.client.hdfs}.
 */
package io.trefoil.federation.client.hdfs.version;
