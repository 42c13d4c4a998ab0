/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The journals that a writer's JVM measures: ours, stock's, and the least that a disk and a link cost. */
package io.trefoil.benchmarks.writer.journal;
