/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Where a node keeps a journal: the port {@link io.trefoil.journal.storage.StorageDevice} with
 * {@link io.trefoil.journal.storage.JournalStorage}, and the files behind it.
 *
 * <p>One write and one fdatasync per group; a torn tail is cut, a damaged frame before it is found (paper §4.1.1,
 * rule R9). The bytes are described in {@code docs/design/storage-format.md}.
 */
package io.trefoil.journal.storage;
