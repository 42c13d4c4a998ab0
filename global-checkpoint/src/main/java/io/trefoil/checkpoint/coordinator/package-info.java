/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Brings all groups to one instant: the pure rules of who leads a checkpoint. */
package io.trefoil.checkpoint.coordinator;
