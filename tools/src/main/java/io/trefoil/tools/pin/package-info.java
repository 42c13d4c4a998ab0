/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil journal pin}, {@code unpin} and {@code pins}: what the journal must keep, and for whom. */
package io.trefoil.tools.pin;
