/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** TLS connections: the keys and certificates of both sides, and what happens before the first frame. */
package io.trefoil.journal.transport.tls;
