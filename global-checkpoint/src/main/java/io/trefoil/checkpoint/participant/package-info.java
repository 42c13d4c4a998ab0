/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Freezes one namesystem for a checkpoint and releases it: the pure rules of one NameNode. */
package io.trefoil.checkpoint.participant;
