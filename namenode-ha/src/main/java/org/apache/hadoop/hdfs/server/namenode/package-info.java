/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What of HDFS's is visible in its own package only. Two classes, which decide nothing. */
package org.apache.hadoop.hdfs.server.namenode;
