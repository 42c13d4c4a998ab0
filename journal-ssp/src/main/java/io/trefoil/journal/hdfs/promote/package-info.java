/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Promotes a surviving pool node when a majority of the voters is lost for good: offline, in the thread of a command.
 * Also keeps out a NameNode whose namespace contains transactions that were lost then
 * ({@code docs/design/lost-site.md}).
 */
package io.trefoil.journal.hdfs.promote;
