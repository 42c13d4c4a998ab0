/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Traces: files that record the events that rules got, and the effects performed for them ({@code docs/design/traces.md}). */
package io.trefoil.journal.transport.trace;
