/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Kerberos for the pool's protocol, by SASL's GSSAPI: callers prove to nodes who they are and nodes to callers, what they say is
 * protected as {@code hadoop.rpc.protection} wants it, and a principal has its rights. And the keys for TLS. See {@code
 * docs/design/security.md}.
 */
package io.trefoil.journal.hdfs.security;
