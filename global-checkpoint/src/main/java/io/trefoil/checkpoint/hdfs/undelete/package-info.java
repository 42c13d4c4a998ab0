/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** A subtree of the past brought back through HDFS's client protocol, while everything runs. One thread. */
package io.trefoil.checkpoint.hdfs.undelete;
