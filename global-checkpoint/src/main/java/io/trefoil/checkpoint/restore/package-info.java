/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The restore to a checkpoint on one host: decides from the current state what to do, or why nothing can be done. Pure. */
package io.trefoil.checkpoint.restore;
