/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Resolves the addresses of hosts, whether name servers answer or not. Look-ups run on threads of this package; what
 * they found is kept for the whole process, and by pool nodes on disk.
 */
package io.trefoil.foundation.names;
