/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The table of subtrees in stock HDFS, and the Routers that mirror it. */
package io.trefoil.federation.hdfs;
