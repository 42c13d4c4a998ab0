/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil checkpoint}: what it understands and prints, without Hadoop. */
package io.trefoil.checkpoint.cli;
