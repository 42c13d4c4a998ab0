/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Runs the rules of checkpoints: threads, clocks, and the ports behind which HDFS is. */
package io.trefoil.checkpoint.run;
