/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The bytes of a log file: its head, and after it the frames of entries with their checksums
 * ({@code docs/design/storage-format.md}).
 *
 * <p>No threads and no files of its own: the code that writes or reads the log calls this.
 */
package io.trefoil.journal.storage.log.frame;
