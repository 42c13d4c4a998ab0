/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** HDFS's own package: contains only what needs access to its package-private members, and makes no decisions. */
package org.apache.hadoop.hdfs.server.namenode;
