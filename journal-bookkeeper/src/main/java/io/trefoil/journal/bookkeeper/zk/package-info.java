/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The record as a znode, through Curator. */
package io.trefoil.journal.bookkeeper.zk;
