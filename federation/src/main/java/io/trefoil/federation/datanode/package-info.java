/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Orders to a DataNode that serves several nameservices: to give a block of one nameservice a second name, as a block of another, without
 * copying a byte. Values only; {@code docs/design/block-linking.md} says what they mean and why they are safe. They are in this module
 * because it contains what concerns a whole federation.
 */
package io.trefoil.federation.datanode;
