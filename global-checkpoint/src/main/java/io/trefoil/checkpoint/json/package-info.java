/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints as JSON: in barriers, between NameNodes, and for programs that read the command's output. */
package io.trefoil.checkpoint.json;
