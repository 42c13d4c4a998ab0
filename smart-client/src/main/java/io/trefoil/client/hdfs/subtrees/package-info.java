/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * File systems that follow a table of subtrees: {@code FileSystem} and {@code AbstractFileSystem} around Hadoop's own client for mount
 * tables, which they replace when there is a newer version.
 */
package io.trefoil.client.hdfs.subtrees;
