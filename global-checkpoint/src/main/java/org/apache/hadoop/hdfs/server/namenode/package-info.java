/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** HDFS's own package: here is only what is visible nowhere else. */
package org.apache.hadoop.hdfs.server.namenode;
