/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Hashed directories: the files of one directory tree spread over several nameservices by their names. {@link
 * io.trefoil.client.hashed.HashedLayout} says where everything is; {@link io.trefoil.client.hashed.HashedTree} makes, finds
 * and deletes; {@link io.trefoil.client.hashed.Deletion} makes the deletion of a directory all or nothing. All of it is
 * pure but for the calls of {@link io.trefoil.client.hashed.Group}. See docs/design/hashed-directories.md.
 */
package io.trefoil.client.hashed;
