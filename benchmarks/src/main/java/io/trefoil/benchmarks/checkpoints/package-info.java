/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Measures how long global checkpoints take, and for how long they freeze what; the paper's Figure 13. */
package io.trefoil.benchmarks.checkpoints;
