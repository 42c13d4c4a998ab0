/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Images of the namespace on disk: found in a NameNode's directories, kept by a pool node as hard links, and assembled
 * from parts in the directory of a NameNode that needs one (paper §4.2.3).
 */
package io.trefoil.journal.storage.image;
