/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil diagnose}: one archive of what an issue needs. */
package io.trefoil.tools.diagnose;
