/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What is visible only inside this package of HDFS. Two classes, which decide nothing. */
package org.apache.hadoop.hdfs.server.namenode;
