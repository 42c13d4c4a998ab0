/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The few file system operations that the storage needs, so that tests can substitute a failing file system. */
package io.trefoil.journal.storage.file;
