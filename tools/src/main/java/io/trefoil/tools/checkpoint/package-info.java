/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil checkpoint}: points in time of a whole federation, made, looked at and gone back to (paper §4.3). */
package io.trefoil.tools.checkpoint;
