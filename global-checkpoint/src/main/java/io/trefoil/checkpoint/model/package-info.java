/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints as values, without Hadoop, disk or network. */
package io.trefoil.checkpoint.model;
