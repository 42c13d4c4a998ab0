/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The addresses of hosts, while name servers answer and while they do not. Look-ups run on threads of this package; what
 * they found is kept for the whole process, and by pool nodes on disk.
 */
package io.trefoil.foundation.names;
