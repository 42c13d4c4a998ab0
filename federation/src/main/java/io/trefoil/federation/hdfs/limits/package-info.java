/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Obstacles to a subtree's move in the settings and the present state of NameNodes and DataNodes. Any thread. */
package io.trefoil.federation.hdfs.limits;
