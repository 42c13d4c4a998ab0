/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The obstacles to a subtree's move in the settings and the current state of NameNodes and DataNodes. Any thread. */
package io.trefoil.federation.hdfs.limits;
