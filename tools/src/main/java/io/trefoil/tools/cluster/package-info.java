/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What the commands need of the cluster that they run in; {@code tools.hdfs} has it from Hadoop's configuration. */
package io.trefoil.tools.cluster;
