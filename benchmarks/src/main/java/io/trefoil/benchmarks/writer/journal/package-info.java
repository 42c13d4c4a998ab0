/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The journals that a writer's JVM measures: ours, the stock one, and floors that show what a disk and a link cost. */
package io.trefoil.benchmarks.writer.journal;
