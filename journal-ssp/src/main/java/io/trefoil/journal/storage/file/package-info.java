/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The few things that the storage asks of a file system, so that tests can put a failing one in its place.
 */
package io.trefoil.journal.storage.file;
