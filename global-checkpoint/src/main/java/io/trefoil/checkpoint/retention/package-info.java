/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Which checkpoints are not wanted any more: pure, from what the journals and roots have. */
package io.trefoil.checkpoint.retention;
