/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The same for stock HDFS. */
package io.trefoil.tools.federation.hdfs;
