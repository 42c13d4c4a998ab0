/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** HDFS's own package: contains only what needs access to its package-private members, and decides nothing. */
package org.apache.hadoop.hdfs.server.namenode;
