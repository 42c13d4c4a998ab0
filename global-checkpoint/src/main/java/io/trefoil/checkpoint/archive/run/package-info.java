/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Archives in a NameNode's process, while its member of the group is the one to do so. Three threads: one asks the others, one writes
 * edits, one copies images; nothing of the NameNode ever waits for them.
 */
package io.trefoil.checkpoint.archive.run;
