/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints as JSON: in barriers, between NameNodes, and for programs that read what the command prints. */
package io.trefoil.checkpoint.json;
