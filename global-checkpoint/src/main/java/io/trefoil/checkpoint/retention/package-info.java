/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Selects the checkpoints that are no longer needed. Pure; decides from what journals and roots contain. */
package io.trefoil.checkpoint.retention;
