/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Runs the rules of checkpoints: threads, clocks, and the interfaces to HDFS. */
package io.trefoil.checkpoint.run;
