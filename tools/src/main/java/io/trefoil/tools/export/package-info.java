/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil journal export}: committed edits as files that HDFS's own tools read. */
package io.trefoil.tools.export;
