/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The promotion of a surviving pool node when a majority of the voters is lost for good, offline, in the thread of a command;
 * and what keeps a NameNode out whose namespace has transactions that were lost then ({@code docs/design/lost-site.md}).
 */
package io.trefoil.journal.hdfs.promote;
