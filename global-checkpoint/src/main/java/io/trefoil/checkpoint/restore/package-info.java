/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The restore to a checkpoint on one host: decides from the present state what to do, or why not. Pure. */
package io.trefoil.checkpoint.restore;
