/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * File systems that follow a table of subtrees: {@code FileSystem} and {@code AbstractFileSystem} around Hadoop's own client for mount
 * tables ({@link io.trefoil.federation.client.hdfs.version}), which they replace when there is a newer version. The calls of the first are
 * in a chain of classes, from {@code CurrentVersionFileSystem} to {@code CreatingFileSystem}, by how each follows the table.
 */
package io.trefoil.federation.client.hdfs;
