/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Hashed directories on HDFS: a {@code FileSystem} for one or several of them, and the calls that it makes to each nameservice. */
package io.trefoil.federation.client.hdfs.hashed;
