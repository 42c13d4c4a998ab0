/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The events, effects and settings of a writer's rules, and the values in them. Drivers see most of them, and users of the
 * journal see some, such as the policy by which an append is acknowledged.
 *
 * <p>Pure. Begin with {@link io.trefoil.journal.writer.events.WriterEvent} and {@link
 * io.trefoil.journal.writer.events.WriterEffect}.
 */
package io.trefoil.journal.writer.events;
