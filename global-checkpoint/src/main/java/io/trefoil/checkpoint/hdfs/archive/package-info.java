/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The archive on Hadoop's file systems, and namespaces of the past made from it, by HDFS's own code. */
package io.trefoil.checkpoint.hdfs.archive;
