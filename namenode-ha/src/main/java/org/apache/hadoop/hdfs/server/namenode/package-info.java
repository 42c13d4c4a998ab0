/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Classes that use package-private parts of HDFS; they decide nothing. */
package org.apache.hadoop.hdfs.server.namenode;
