/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The commands' access to the cluster in which they run; {@code tools.hdfs} implements it with Hadoop's configuration. */
package io.trefoil.tools.cluster;
