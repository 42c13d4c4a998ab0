/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/** What tests do inside a NameNode's process with members that HDFS keeps to itself. */
package org.apache.hadoop.hdfs.server.namenode;
