/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil journal pin}, {@code unpin} and {@code pins}: pins, which make the journal keep edits. */
package io.trefoil.tools.pin;
