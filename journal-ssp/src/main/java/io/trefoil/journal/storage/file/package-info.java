/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The few operations that the storage needs of a file system, so that tests can substitute a failing one. */
package io.trefoil.journal.storage.file;
