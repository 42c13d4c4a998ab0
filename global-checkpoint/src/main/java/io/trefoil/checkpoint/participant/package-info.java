/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Holds one namesystem for a checkpoint, and lets go: the pure rules of one NameNode. */
package io.trefoil.checkpoint.participant;
