/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Kerberos for the pool's protocol, by SASL's GSSAPI, and the keys for TLS. Callers and nodes authenticate each other,
 * {@code hadoop.rpc.protection} says how their messages are protected, and a principal determines the caller's rights.
 * See {@code docs/design/security.md}.
 */
package io.trefoil.journal.hdfs.security;
