/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the rules of a writer hear and want done, and what they are set to: events, effects, and the values in them. Most of
 * it is seen by drivers, and some by users of the journal, such as the policy by which an append is acknowledged.
 *
 * <p>Pure. Begin with {@link io.trefoil.journal.writer.events.WriterEvent} and {@link
 * io.trefoil.journal.writer.events.WriterEffect}.
 */
package io.trefoil.journal.writer.events;
