/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of the archive: what is written next, what belongs together, and which image and edits make an instant.
 * Pure; see the design page archive.md.
 */
package io.trefoil.checkpoint.archive;
