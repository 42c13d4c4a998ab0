/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures what our code costs and gains inside a NameNode: reads of committed state, large answers, lag of standbys,
 * renewing.
 */
package io.trefoil.benchmarks.namenode;
