/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What ours costs and gives inside a NameNode: reads of what is committed, large answers, lag of standbys, renewing. */
package io.trefoil.benchmarks.namenode;
