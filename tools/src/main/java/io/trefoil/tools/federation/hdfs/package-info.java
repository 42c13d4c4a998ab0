/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The federation commands' access to the cluster, implemented for stock HDFS. */
package io.trefoil.tools.federation.hdfs;
