/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Traces: files that say what rules saw and what was done for them ({@code docs/design/traces.md}). */
package io.trefoil.journal.transport.trace;
