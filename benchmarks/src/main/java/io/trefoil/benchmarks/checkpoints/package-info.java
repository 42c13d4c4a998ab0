/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** How long global checkpoints take, what they freeze, and for how long; the paper's Figure 13. */
package io.trefoil.benchmarks.checkpoints;
