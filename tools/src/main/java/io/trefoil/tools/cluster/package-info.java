/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What the commands need from the cluster in which they run; {@code tools.hdfs} gets it from Hadoop's configuration. */
package io.trefoil.tools.cluster;
