/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * How a caller and a node prove to each other who they are, as the network sees it: tokens that go to and fro, and what protects
 * the connection afterwards. The design is {@code docs/design/security.md}.
 */
package io.trefoil.journal.transport.authentication;
