/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The port of a pool node: greets, and serves writers on their journal's event loop and readers on threads of their
 * own, with bounds on everything that a stranger can consume.
 */
package io.trefoil.journal.transport.server;
