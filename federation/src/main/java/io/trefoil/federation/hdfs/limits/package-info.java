/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What NameNodes and DataNodes, as they are set up and as they are now, have against a subtree. Any thread. */
package io.trefoil.federation.hdfs.limits;
