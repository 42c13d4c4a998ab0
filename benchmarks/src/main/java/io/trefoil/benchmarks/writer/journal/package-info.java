/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The journals that a writer's JVM measures: ours, the stock one, and baselines that show the cost of a disk and a link. */
package io.trefoil.benchmarks.writer.journal;
