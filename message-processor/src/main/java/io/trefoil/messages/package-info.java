/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Generates a family of messages from the interface that handles them. It runs inside the compiler, and nothing of it is needed at run
 * time.
 *
 * <p>{@link io.trefoil.messages.MessagesProcessor} finds the interfaces, {@link io.trefoil.messages.MessageFamily} says what may stand in one,
 * {@link io.trefoil.messages.FamilySource} writes the class.
 */
package io.trefoil.messages;
