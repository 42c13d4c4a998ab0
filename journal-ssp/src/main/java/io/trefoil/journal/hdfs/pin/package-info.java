/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Pins: transactions that the journal must not purge yet, ordered at the active NameNode by
 * {@code hdfs trefoil journal pin} and by juniors that renew (paper §4.2.3).
 */
package io.trefoil.journal.hdfs.pin;
