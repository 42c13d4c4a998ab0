/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Classes that use package-private parts of HDFS. They decide nothing, but for {@link
 * org.apache.hadoop.hdfs.server.namenode.StandbyQuotaCounts}, whose subject is such parts alone.
 */
package org.apache.hadoop.hdfs.server.namenode;
