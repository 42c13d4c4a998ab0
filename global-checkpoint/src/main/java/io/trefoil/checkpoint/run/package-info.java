/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The rules of checkpoints at work: threads, clocks and the ports behind which HDFS is. */
package io.trefoil.checkpoint.run;
