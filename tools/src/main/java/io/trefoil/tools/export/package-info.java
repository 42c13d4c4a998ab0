/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil journal export}: writes committed edits as files that HDFS's own tools can read. */
package io.trefoil.tools.export;
