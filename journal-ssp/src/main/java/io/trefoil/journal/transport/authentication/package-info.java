/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Mutual authentication of a caller and a node, as the network sees it: an exchange of tokens, and what protects the
 * connection afterwards. See {@code docs/design/security.md}.
 */
package io.trefoil.journal.transport.authentication;
