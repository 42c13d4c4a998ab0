/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Which checkpoints are no longer needed. Pure; decides from what journals and roots contain. */
package io.trefoil.checkpoint.retention;
